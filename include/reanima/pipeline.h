/// Makes an asset from a file, ready to write or play: loadFile() and its settings. Target reanima::pipeline.
#pragma once

#include "pipeline/pipeline.h"
#include "pipeline/settings.h"
#include "pipeline/suggest_links.h"
#include "pipeline/write_back.h"

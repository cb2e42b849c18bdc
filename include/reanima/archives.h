/// The games' archives: entries by name, their bytes, and ARCHIVE:ENTRY as input. Target reanima::archives.
#pragma once

#include "archives/archive.h"
#include "archives/open_archives.h"

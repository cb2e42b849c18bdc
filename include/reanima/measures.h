/// What a person wants to know of clips and meshes: how a clip loops, what moves most. Target reanima::measures.
#pragma once

#include "measures/clip_facts.h"
#include "measures/mesh_facts.h"

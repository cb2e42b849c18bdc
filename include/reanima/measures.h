/// Facts about clips and meshes for people: how a clip loops, which part moves most. Target reanima::measures.
#pragma once

#include "measures/clip_facts.h"
#include "measures/mesh_facts.h"

#include "tools/reanima/verbs/verbs.h"

int main(int argc, char** argv) { return reanima::tool::runCommand(argc, argv); }

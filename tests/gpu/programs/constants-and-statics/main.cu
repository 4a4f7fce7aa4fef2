#include "run_main.h"

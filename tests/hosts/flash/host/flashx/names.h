#include "Simulation.h"

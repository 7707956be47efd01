#include "Flash.h"

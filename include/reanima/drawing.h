/// Pictures of characters and videos: a contact sheet, a drawing of a mapping, and a page that plays them. Target
/// reanima::drawing. It defines REANIMA_DRAWS, which is false in builds without cairo. Such builds draw no images.
#pragma once

#include "drawing/binding_picture.h"
#include "drawing/contact_sheet.h"
#include "drawing/preview_page.h"
#include "drawing/previewed.h"
#include "pictures/png.h"

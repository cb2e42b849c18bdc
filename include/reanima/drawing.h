/// Characters and videos to look at: a contact sheet and a mapping as images, a page that plays them. Target
/// reanima::drawing, which defines REANIMA_DRAWS: false where it was built without cairo, and then there are no such
/// images.
#pragma once

#include "drawing/binding_picture.h"
#include "drawing/contact_sheet.h"
#include "drawing/preview_page.h"
#include "drawing/previewed.h"
#include "pictures/png.h"

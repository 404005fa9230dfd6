// Built with Annot's headers alone: no library of Annot's is linked, no symbol of Annot's is needed.

#include "shop_plugin.h"

#include <annot.h>
#include <annot/joinpoint.h>

static int last_card;

ANNOTATE_NEEDLOGIN(GiftCard, redeem, C);
ANNOT_METHOD(void, GiftCard, redeem, (int, card)) { last_card = card; }

int gift_card_last(void) { return last_card; }

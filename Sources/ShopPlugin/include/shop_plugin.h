/// The shop's gift-card plugin, which the demo opens while it runs.
#ifndef SHOP_PLUGIN_H
#define SHOP_PLUGIN_H

/// Redeems a gift card by its number.
void GiftCard_redeem(int card);

/// The number of the last card redeemed, 0 before the first.
int gift_card_last(void);

#endif

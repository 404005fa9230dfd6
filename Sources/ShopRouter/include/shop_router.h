/// A small shop's page router, in C.
#ifndef SHOP_ROUTER_H
#define SHOP_ROUTER_H

/// Opens a page of an item; `page` is copied.
void Router_open(const char *page, int item);

/// The price of an item in cents.
int Router_price(int item);

/// What the router did last, as text; empty before its first page.
const char *router_last_page(void);

#endif

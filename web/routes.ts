import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

/**
 * The whole route table of SPEC §2.1. Paths match in any letter case and with a
 * trailing slash; whatever is not listed is the 404 page.
 */
export default [
  layout('shell/shell-layout.tsx', [
    index('features/home/home-page.tsx'),
    route('news', 'features/news/news-page.tsx'),
    route('topic/:id', 'features/news/topic-page.tsx'),
    route('rankings', 'features/rankings/rankings-page.tsx'),
    route('register', 'features/register/register-page.tsx'),
    route('login', 'features/login/login-page.tsx'),
    route('changepassword', 'features/password/change-password-page.tsx'),
    route('user', 'features/account/account-page.tsx'),
    route('findaccount', 'features/recovery/find-account-page.tsx'),
    route('resetpassword', 'features/password/reset-password-page.tsx'),
    route('itemshop', 'features/shop/item-shop-page.tsx'),
    route('itemshop/:productnum', 'features/shop/item-page.tsx'),
    route('shoppingcart', 'features/cart/cart-page.tsx'),
    route('shoppurchases', 'features/purchases/purchases-page.tsx'),
    route('topup', 'features/topup/topup-page.tsx'),
    route('topuphistory', 'features/topup/topup-history-page.tsx'),
    route('gamesystem', 'features/guides/game-system-page.tsx'),
    route('characters', 'features/guides/characters-page.tsx'),
    route('instructions', 'features/instructions/instructions-page.tsx'),
    route('story', 'features/story/story-page.tsx'),
    route('serverinfo', 'features/server-info/server-info-page.tsx'),
    route('downloads', 'features/downloads/downloads-page.tsx'),
    route('download', 'features/downloads/downloads-page.tsx', { id: 'download' }),
    route('gallery', 'features/media/gallery-page.tsx'),
    route('wallpaper', 'features/media/wallpaper-page.tsx'),
    route('movies', 'features/media/movies-page.tsx'),
    route('ticket', 'features/tickets/ticket-page.tsx'),
    route('checkticket', 'features/tickets/check-ticket-page.tsx'),
    route('socials', 'features/socials/socials-page.tsx'),
    route('operationpolicy', 'features/policies/policy-page.tsx', { id: 'operationpolicy' }),
    route('privacypolicy', 'features/policies/policy-page.tsx', { id: 'privacypolicy' }),
    route('gamecashagreement', 'features/policies/policy-page.tsx', { id: 'gamecashagreement' }),
    route('credits', 'features/credits/credits-page.tsx'),
    route('search', 'features/search/search-page.tsx'),
    route('error', 'features/error/error-page.tsx'),
    route('*', 'features/error/not-found-page.tsx'),
  ]),
] satisfies RouteConfig

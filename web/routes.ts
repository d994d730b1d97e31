import { index, layout, type RouteConfig, route } from '@react-router/dev/routes'

/**
 * The whole route table of SPEC §2.1. Paths match in any letter case and with a
 * trailing slash; whatever is not listed is the 404 page.
 */
const laterPages = [
  'gamesystem',
  'story',
  'characters',
  'instructions',
  'gallery',
  'wallpaper',
  'movies',
  'downloads',
  'download',
  'ticket',
  'checkticket',
  'serverinfo',
  'socials',
]

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
    ...laterPages.map((path) => route(path, 'features/later/later-page.tsx', { id: `later-${path}` })),
    route('error', 'features/error/error-page.tsx'),
    route('*', 'features/error/not-found-page.tsx'),
  ]),
] satisfies RouteConfig

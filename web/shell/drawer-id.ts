/** Where the drawer's opener finds it. */
export const DRAWER_ID = 'menu-drawer'

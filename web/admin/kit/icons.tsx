import { LineDrawing } from '#web/ui/icon.tsx'

/** The paths of the desk's icons, on the grid of web/ui/icon.tsx and with the same mitred strokes. */
const ICONS = {
  today: 'M3 4.5h18v16H3ZM3 9.5h18M8 2v5M16 2v5M7 14h4v3H7Z',
  players: 'M9 3.5a4 4 0 1 0 0 8 4 4 0 1 0 0-8ZM2 20.5q0-5.5 7-5.5t7 5.5M16 4a4 4 0 0 1 0 7.5M18.5 15.5q3.5 1 3.5 5',
  tickets: 'M2 5h20v5a2.5 2.5 0 0 0 0 5v4H2v-4a2.5 2.5 0 0 0 0-5ZM14 5v14',
  appeals: 'M12 3v17M7 20.5h10M4.5 6.5h15M4.5 6.5 1.5 13h6ZM19.5 6.5l-3 6.5h6Z',
  orders: 'M3 3h3l2.5 12h10L21 7H7M9.5 18.5v2M17.5 18.5v2',
  items: 'M12 2.5 21 7v10l-9 4.5L3 17V7ZM3 7l9 4.5L21 7M12 11.5v10',
  vouchers: 'M3 6h18v12H3ZM8 6v12M12 10h5M12 14h5',
  pages: 'M5 3h9l5 5v13H5ZM14 3v5h5M8.5 12.5h7M8.5 16.5h7',
  news: 'M3 4h14v16.5H5a2 2 0 0 1-2-2ZM17 9h4v9.5a2 2 0 0 1-2 2h-2M6.5 8h7M6.5 12h7M6.5 16h4',
  rankings: 'M5 20.5V12M12 20.5V4M19 20.5V8.5',
  leagues: 'M2 20.5h20M3 20.5V12h6M9 20.5V6h6v14.5M15 14h6v6.5',
  tournaments: 'M3 4h6v6H3ZM3 14h6v6H3ZM9 7h4v10H9M13 12h3M16 9h5v6h-5Z',
  site: 'M2.5 4h19v16h-19ZM2.5 9h19M9 9v11',
  look: 'M12 2.5a9.5 9.5 0 1 0 0 19q2.5 0 2-2.5t2-3h3q2.5-.5 2.5-4 0-9.5-9.5-9.5ZM7 12v.1M9 7.5v.1M14 6.5v.1M17.5 10v.1',
  maintenance: 'M14 6.5a4.5 4.5 0 0 1 6-3l-3 3 .5 2.5 2.5.5 3-3a4.5 4.5 0 0 1-6 5.5L9 20a2.5 2.5 0 0 1-4-4l8-8Z',
  forum: 'M2.5 3.5h13v9H9l-4 3.5v-3.5H2.5ZM18.5 8h3v9h-3v3.5l-4-3.5H10v-2',
  mails: 'M2.5 5h19v14h-19ZM2.5 6l9.5 7.5L21.5 6',
  letters: 'M2.5 9 12 2.5 21.5 9v11.5h-19ZM2.5 9l9.5 7 9.5-7',
  bridge: 'M2 17.5h20M5 17.5V6M19 17.5V6M5 7q7 11 14 0M9 17.5v-5.5M15 17.5v-5.5',
  health: 'M2 12h5l2.5-6 4.5 12 2.5-6H22',
  approvals: 'M4 12.5 9.5 18 20 6',
  audit: 'M5 3h14v18H5ZM8.5 8h7M8.5 12h7M8.5 16h4',
  staff: 'M4 3.5h16v17H4ZM9.5 3.5V6h5V3.5M12 8.5a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 1 0 0-4.4ZM8 17.5q0-2.5 4-2.5t4 2.5',
  settings: 'M3 7h10M17 7h4M15 4.5v5M3 17h4M11 17h10M9 14.5v5',
  search: 'M10 3a7 7 0 1 0 0 14 7 7 0 1 0 0-14ZM15 15l6.5 6.5',
  menu: 'M2 5.5h20M2 12h20M2 18.5h20',
  close: 'M4 4 20 20M20 4 4 20',
  external: 'M9 5H4v15h15v-5M13 3.5h7.5V11M20 4 11 13',
  back: 'M14 5 7 12l7 7',
  forward: 'M10 5l7 7-7 7',
  up: 'M12 19V5M6 11l6-6 6 6',
  down: 'M12 5v14M6 13l6 6 6-6',
  leave: 'M14 4H4v16h10M10 12h11M17 8l4 4-4 4',
  save: 'M12 2v12M5.5 8.5 12 15l6.5-6.5M2 20.5h20',
  filter: 'M2.5 4h19l-7.5 9v7l-4-2v-5Z',
  warning: 'M12 3 22 20.5H2ZM12 9.5v5M12 16.5v2',
  lock: 'M5 10.5h14V21H5ZM8 10.5V7a4 4 0 0 1 8 0v3.5',
  picture: 'M3 4h18v16H3ZM3 16l5-5 4 4 4-5 5 6M8 7.5v.1',
  plus: 'M12 4v16M4 12h16',
  system: 'M2.5 4h19v13h-19ZM8 21h8M12 17v4',
  light:
    'M12 7a5 5 0 1 0 0 10 5 5 0 1 0 0-10ZM12 1.5v2.5M12 20v2.5M1.5 12H4M20 12h2.5M4.5 4.5l2 2M17.5 17.5l2 2M19.5 4.5l-2 2M6.5 17.5l-2 2',
  dark: 'M20.5 14.5A9 9 0 1 1 9.5 3.5a7 7 0 0 0 11 11Z',
} as const

export type DeskIconName = keyof typeof ICONS

type DeskIconProps = { name: DeskIconName; size?: number; weight?: number }

/** A small line drawing. It is decorative, because the text next to it has the same meaning. */
export function DeskIcon({ name, size = 20, weight = 2.2 }: DeskIconProps) {
  return <LineDrawing path={ICONS[name]} size={size} weight={weight} />
}

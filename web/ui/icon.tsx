/** The paths of the icons on a grid of 24 units, with mitred strokes like the class emblems. */
const ICONS = {
  home: 'M2.5 12 12 4l9.5 8M5.5 10V20.5h13V10M10 20.5V14h4v6.5',
  bars: 'M5 20.5V12M12 20.5V4M19 20.5V8.5',
  store: 'M4.5 4h15L22 10H2ZM4.5 10.5v10h15v-10M9.5 20.5V15h5v5.5',
  person: 'M12 3.5a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 1 0 0-8.4ZM4 21q0-5.5 8-5.5t8 5.5',
  menu: 'M2 5.5h20M2 12h20M2 18.5h20',
  book: 'M12 7v13.5M2 4.5h7q3 0 3 2.5 0-2.5 3-2.5h7V18h-7q-3 0-3 2.5Q12 18 9 18H2Z',
  search: 'M10 3a7 7 0 1 0 0 14 7 7 0 1 0 0-14ZM15 15l6.5 6.5',
  letter: 'M2.5 5h19v14h-19ZM3 6l9 7.5L21 6',
  cart: 'M1.5 3H5l3 12.5h10L21 6.5H6M9 20.5v0M17 20.5v0',
  flag: 'M5 22V3M5 4h14l-4 5 4 5H5',
  download: 'M12 2v12M5.5 8.5 12 15l6.5-6.5M2 20.5h20',
} as const

type IconProps = { name: keyof typeof ICONS; size: number; weight?: number }

/** A small line drawing. It is decorative, because the text next to it has the same meaning. */
export function Icon({ name, size, weight = 2.4 }: IconProps) {
  return <LineDrawing path={ICONS[name]} size={size} weight={weight} />
}

type LineDrawingProps = { path: string; size: number; weight: number }

/** Draws any path on the same grid in the style of an icon. */
export function LineDrawing({ path, size, weight }: LineDrawingProps) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={weight}
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  )
}

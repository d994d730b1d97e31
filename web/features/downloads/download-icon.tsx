/** Drawn on a 24 grid with mitred strokes. Other words are addresses of operators' own pictures. */
const ICONS: Record<string, string> = {
  download: 'M12 2v12M5.5 8.5 12 15l6.5-6.5M2 20.5h20',
  mirror: 'M2 4.5h12v9H2ZM8 13.5v4M4.5 17.5h7M10 8.5v0M17 6.5h5v9h-5M16 20.5l3 2 3-2M19 15.5v7',
  patch: 'M3 3h7v3.2a2.3 2.3 0 1 0 4 0V3h7v7h-3.2a2.3 2.3 0 1 0 0 4H21v7H3Z',
  torrent:
    'M12 8.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM5 21.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM19 21.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM10.6 8.2 6.4 15.8M13.4 8.2l4.2 7.6M8 18.5h8',
}

type Props = { icon: string; size: number }

/** The icon of a link: one of ours by name, or the operators' own picture. Decorative: the link's name stands beside it. */
export function DownloadIcon({ icon, size }: Props) {
  if (/^(\/|https:)/.test(icon)) return <img src={icon} alt="" width={size} height={size} loading="lazy" />
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.2"
      aria-hidden="true"
    >
      <path d={ICONS[icon] ?? ICONS.download} />
    </svg>
  )
}

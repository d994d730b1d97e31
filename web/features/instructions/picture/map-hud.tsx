import styles from './hud.module.css'
import { HudFrame } from './hud-parts.tsx'

const LAMPS = ['M150 58', 'M98 86', 'M60 142'] as const

/** Map, 212×156: the yard between the schools with every mark the guide explains. */
export function MapHud() {
  return (
    <HudFrame width={212} height={156} title="Front yard · ch 2" plate="M">
      <path d="M4 27h204v125H4Z" fill="#101a52" />
      <path
        d="M12 36h56v42H12ZM84 34h60v30H84ZM158 40h44v24h-44ZM12 104h36v40H12ZM152 90h52v56h-52ZM70 82h60v46H70Z"
        fill="#1d2c86"
        stroke="#8fa6ff"
      />
      <path d="M68 58h16M144 52h14M40 78v26M100 64v18M130 106h22" stroke="#8fa6ff" strokeWidth="3" />
      <path d="M156 94h44v48h-44Z" fill="none" stroke="#ffb54a" strokeWidth="2" strokeDasharray="5 3" />
      <use href="#crest-0" x="28" y="42" width="24" height="29" />
      <use href="#crest-1" x="166" y="40" width="20" height="24" />
      <use href="#crest-2" x="20" y="110" width="20" height="24" />
      <path d={LAMPS.map((at) => `${at}m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0`).join('')} fill="var(--signal)" />
      <circle cx="82" cy="114" r="4" fill="#fff" />
      <circle cx="92" cy="120" r="4" fill="none" stroke="#fff" strokeWidth="2" />
      <path d="M112 96l7 16-7-4-7 4Z" fill="#48d597" />
      <path d="M120 116l9 9M129 116l-9 9" stroke="#98a0b4" strokeWidth="2.5" />
      <text className={`${styles.small} ${styles.middle}`} x="178" y="122">
        Market
      </text>
    </HudFrame>
  )
}

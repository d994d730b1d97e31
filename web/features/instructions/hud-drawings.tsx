import { CHAT_LINES, type InterfacePartKey } from '#contract/documents.ts'
import { useLoadedDocument } from '#web/api/documents.ts'
import { Keyboard, MouseBody } from './controls.tsx'
import styles from './hud.module.css'
import { Glyph, type GlyphName, HudFrame, KeyPlate, Slot } from './hud-parts.tsx'

/** The drawing of one region, in the region's own coordinates. */
export function PartDrawing({ part }: { part: InterfacePartKey }) {
  switch (part) {
    case 'status':
      return <StatusHud />
    case 'items':
      return <ItemsHud />
    case 'skills':
      return <SkillsHud />
    case 'chat':
      return <ChatHud />
    case 'shortcuts':
      return <ShortcutsHud />
    case 'inventory':
      return <InventoryHud />
    case 'map':
      return <MapHud />
    case 'keys':
      return (
        <>
          <path d="M-10-8H660l10 10V138H-10Z" fill="#0a0c13" stroke="#3a435c" />
          <Keyboard type="a" width={660} height={130} showsSharedOnly />
        </>
      )
    case 'mouse':
      return <MouseBody left="#3a435c" right="#3a435c" wheel="#ffd21f" />
  }
}

const BARS = [
  { y: 20, fill: '#ff5d4d', share: 0.78, text: '4,820 / 6,180', name: 'HP' },
  { y: 40, fill: '#5c8bff', share: 0.61, text: '1,240 / 2,030', name: 'SP' },
] as const

/** Character status, 300×96: emblem, level, name, three bars and the active effects. */
function StatusHud() {
  return (
    <HudFrame width={300} height={96}>
      <path d="M6 6h40v44l-20 12L6 50Z" fill="var(--gate-a)" />
      <path d="M26 6h20v44L26 62Z" fill="var(--gate-d)" />
      <g color="var(--paper)" style={{ '--emblem-fill': 'var(--gate-b)' } as React.CSSProperties}>
        <use href="#emblem-archer" x="9" y="13" width="34" height="34" />
      </g>
      <text className={`${styles.big} ${styles.middle}`} x="26" y="86">
        87
      </text>
      <text className={styles.value} x="58" y="15">
        Your name
      </text>
      {BARS.map((bar) => (
        <g key={bar.name}>
          <text className={styles.small} x="58" y={bar.y + 12}>
            {bar.name}
          </text>
          <path d={`M78 ${bar.y}h210v16h-210Z`} fill="#242b40" />
          <path d={`M78 ${bar.y}h${210 * bar.share}l-6 16h-${210 * bar.share - 6}Z`} fill={bar.fill} />
          <text className={styles.value} x="84" y={bar.y + 12.5}>
            {bar.text}
          </text>
        </g>
      ))}
      <path d="M78 60h210v6h-210Z" fill="#242b40" />
      <path d="M78 60h92v6h-92Z" fill="var(--signal)" />
      <text className={styles.small} x="58" y="68">
        EXP
      </text>
      <Slot x={78} y={70} size={22} glyph="bowl" color="#ffb54a" />
      <Slot x={103} y={70} size={22} glyph="clover" color="var(--peak-t)" />
      <Slot x={128} y={70} size={22} glyph="star" color="var(--gate-t)" />
      <text className={styles.small} x="156" y="86">
        12 min
      </text>
    </HudFrame>
  )
}

type Pocket = { glyph: GlyphName; color: string; count: number }

const POCKETS: readonly Pocket[] = [
  { glyph: 'bowl', color: '#ffb54a', count: 34 },
  { glyph: 'bottle', color: '#8fb0ff', count: 18 },
  { glyph: 'cup', color: '#d8a07a', count: 6 },
  { glyph: 'bread', color: '#ffd9a0', count: 70 },
  { glyph: 'heart', color: '#ff9c82', count: 2 },
  { glyph: 'lamp', color: '#ffe98a', count: 1 },
]

/** Item quick slot, 140×96: six pockets on the keys 1 to 6, the third cooling down. */
function ItemsHud() {
  return (
    <HudFrame width={140} height={96}>
      {POCKETS.map(({ glyph, color, count }, index) => (
        <Slot
          key={glyph}
          x={6 + (index % 3) * 43}
          y={5 + Math.floor(index / 3) * 44}
          size={42}
          glyph={glyph}
          color={color}
        >
          {index === 2 && <path d="M21 21V1h20v40H8Z" fill="#0a0c13" opacity=".72" />}
          <text className={styles.small} x="4" y="13">
            {index + 1}
          </text>
          <text className={styles.count} x="39" y="39">
            {count}
          </text>
        </Slot>
      ))}
    </HudFrame>
  )
}

const SKILLS: readonly { glyph: GlyphName; color: string }[] = [
  { glyph: 'arrow', color: 'var(--paper)' },
  { glyph: 'dash', color: 'var(--gate-t)' },
  { glyph: 'trap', color: '#8fdcf5' },
  { glyph: 'heart', color: 'var(--peak-t)' },
]

/** Skill quick slot, 262×96: F1 to F4, the third cooling down, the fourth short of SP. */
function SkillsHud() {
  return (
    <HudFrame width={262} height={96}>
      {SKILLS.map(({ glyph, color }, index) => (
        <g key={glyph}>
          <Slot x={7 + index * 63} y={7} size={58} glyph={glyph} color={color}>
            {index === 2 && (
              <>
                <path d="M29 29V1h28v56H1V38Z" fill="#0a0c13" opacity=".78" />
                <text className={`${styles.big} ${styles.middle}`} x="29" y="38">
                  4
                </text>
              </>
            )}
            {index === 3 && <rect x="2" y="2" width="54" height="54" fill="none" stroke="#5c8bff" strokeWidth="3" />}
          </Slot>
          <KeyPlate x={22 + index * 63} y={71} text={`F${index + 1}`} width={28} />
        </g>
      ))}
    </HudFrame>
  )
}

const SHORTCUTS: readonly { glyph: GlyphName; color: string }[] = [
  { glyph: 'hand', color: '#ffd9a0' },
  { glyph: 'skate', color: 'var(--gate-t)' },
  { glyph: 'window', color: 'var(--paper)' },
  { glyph: 'umbrella', color: 'var(--phoenix-t)' },
  { glyph: 'speech', color: 'var(--peak-t)' },
  { glyph: 'speech', color: 'var(--paper)' },
  { glyph: 'ticket', color: '#8fdcf5' },
  { glyph: 'padlock', color: '#98a0b4' },
]

/** Shortcut slot, 200×96: eight slots for actions outside a fight. */
function ShortcutsHud() {
  return (
    <HudFrame width={200} height={96}>
      {SHORTCUTS.map(({ glyph, color }, index) => (
        <Slot
          // biome-ignore lint/suspicious/noArrayIndexKey: eight fixed slots
          key={index}
          x={6 + (index % 4) * 48}
          y={5 + Math.floor(index / 4) * 44}
          size={42}
          glyph={glyph}
          color={color}
        >
          <text className={styles.count} x="40" y="39">
            {index + 1}
          </text>
        </Slot>
      ))}
    </HudFrame>
  )
}

const CHANNELS = [
  { channel: 'normal', color: '#f5f1e6' },
  { channel: 'party', color: '#6fddbb' },
  { channel: 'club', color: '#a9b9ff' },
  { channel: 'regional', color: '#ffb54a' },
  { channel: 'search', color: '#ff9c82' },
  { channel: 'whisper', color: '#8fdcf5' },
] as const

/** Chat window, 296×208: tabs, one line from each of the six channels, and the input line. */
function ChatHud() {
  const { chat } = useLoadedDocument('instructions')
  return (
    <HudFrame width={296} height={208}>
      <path d="M6 6h44v22H6Z" fill="var(--paper)" />
      <path d="M6 28h280" stroke="var(--paper)" />
      <text className={`${styles.value} ${styles.middle}`} x="28" y="22" style={{ fill: 'var(--ink)' }}>
        All
      </text>
      {['Party', 'Club', 'Trade'].map((tab, index) => (
        <text key={tab} className={`${styles.small} ${styles.middle}`} x={80 + index * 52} y="22">
          {tab}
        </text>
      ))}
      {CHANNELS.map(({ channel, color }, index) => (
        <text key={channel} className={styles.text} x="10" y={52 + index * 22} style={{ fill: color }}>
          [{CHAT_LINES[channel]}] {chat[channel].text}
        </text>
      ))}
      <path d="M6.5 178.5h283v23h-283Z" fill="#0a0c13" stroke="#6b7590" />
      <text className={styles.text} x="14" y="195">
        [Normal] {chat.typed.text}
      </text>
      <path d="M186 182v15" stroke="var(--signal)" strokeWidth="2" />
    </HudFrame>
  )
}

type CarriedItem = { glyph: GlyphName; color: string; count?: number; isWorn?: true }

/** The items in the first slots, row by row. The other slots are empty. */
const CARRIED_ITEMS: readonly CarriedItem[] = [
  { glyph: 'bowl', color: '#ffb54a', count: 34 },
  { glyph: 'bottle', color: '#8fb0ff', count: 18 },
  { glyph: 'bread', color: '#ffd9a0', count: 70 },
  { glyph: 'cup', color: '#d8a07a', count: 6 },
  { glyph: 'heart', color: '#ff9c82', count: 2 },
  { glyph: 'clover', color: '#6fddbb' },
  { glyph: 'sword', color: '#d8e1e4' },
  { glyph: 'bat', color: '#e9be5a' },
  { glyph: 'umbrella', color: '#ff9c82' },
  { glyph: 'skate', color: '#a9b9ff' },
  { glyph: 'sword', color: '#98a0b4', isWorn: true },
  { glyph: 'lamp', color: '#ffe98a', count: 12 },
  { glyph: 'star', color: '#ffd21f', count: 3 },
  { glyph: 'ticket', color: '#8fdcf5', count: 28 },
  { glyph: 'padlock', color: '#98a0b4' },
]

/** Inventory, 252×284: five pages, twenty-four slots, weight and gold. */
function InventoryHud() {
  return (
    <HudFrame width={252} height={284} title="Inventory" keyName="I">
      <path d="M8 30h44v22H8Z" fill="var(--paper)" />
      <path d="M8 52h236" stroke="var(--paper)" />
      {[1, 2, 3, 4, 5].map((page) => (
        <text
          key={page}
          className={`${styles.value} ${styles.middle}`}
          x={30 + (page - 1) * 46}
          y="46"
          style={{ fill: page === 1 ? 'var(--ink)' : 'var(--text-2)' }}
        >
          {page}
        </text>
      ))}
      {Array.from({ length: 24 }, (_, slot) => {
        const item = CARRIED_ITEMS[slot]
        return (
          <Slot
            // biome-ignore lint/suspicious/noArrayIndexKey: twenty-four fixed slots
            key={slot}
            x={8 + (slot % 6) * 40}
            y={59 + Math.floor(slot / 6) * 40}
            size={37}
            {...(item && { glyph: item.glyph, color: item.color })}
          >
            {item?.isWorn && <path d="M36 1v14L22 1Z" fill="var(--red)" />}
            {item?.count !== undefined && (
              <text className={styles.count} x="35" y="34">
                {item.count}
              </text>
            )}
          </Slot>
        )
      })}
      {(['sword', 'ticket', 'lamp'] as const).map((name, index) => (
        <g key={name}>
          <rect x={8.5 + index * 26} y="225.5" width="22" height="20" fill="#1a1f2e" stroke="#3a435c" />
          <Glyph name={name} x={13 + index * 26} y={229} size={13} color="#98a0b4" />
        </g>
      ))}
      <text className={`${styles.small} ${styles.end}`} x="244" y="241">
        Weight 412 / 560
      </text>
      <path d="M8 251h236" stroke="#3a435c" />
      <circle cx="18" cy="267" r="8" fill="#ffb81c" />
      <circle cx="18" cy="267" r="4.5" fill="none" stroke="#0a0c13" strokeWidth="1.5" />
      <text className={styles.text} x="32" y="272">
        18,452,300 gold
      </text>
    </HudFrame>
  )
}

const LAMP_POSITIONS = ['M150 58', 'M98 86', 'M60 142'] as const

/** Map, 212×156: the yard between the schools with every mark that the guide explains. */
function MapHud() {
  return (
    <HudFrame width={212} height={156} title="Map · ch 2" keyName="M">
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
      <path
        d={LAMP_POSITIONS.map((position) => `${position}m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0`).join('')}
        fill="var(--signal)"
      />
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

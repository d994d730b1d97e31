import type { PartKey } from '../content/part-keys.ts'
import { ChatHud } from './chat-hud.tsx'
import { InventoryHud } from './inventory-hud.tsx'
import { Keyboard } from './keyboard.tsx'
import { MapHud } from './map-hud.tsx'
import { MouseBody } from './mouse.tsx'
import { ItemsHud, ShortcutsHud, SkillsHud } from './slot-huds.tsx'
import { StatusHud } from './status-hud.tsx'

/** One region of the interface at its own measure, as it stands in the picture. */
export function PartDrawing({ part }: { part: PartKey }) {
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
          <Keyboard type="a" width={660} height={130} shared />
        </>
      )
    case 'mouse':
      return <MouseBody left="#3a435c" right="#3a435c" wheel="#ffd21f" />
  }
}

import { KEY_TABLE, MOUSE_TABLE } from './content/controls.ts'
import type { PartKey } from './content/part-keys.ts'
import { PARTS } from './content/parts.ts'
import { KeyboardPictures, MousePictures } from './control-pictures.tsx'
import { ControlTable } from './control-table.tsx'
import { GuideBlocks } from './guide-blocks.tsx'
import styles from './part-body.module.css'
import { CloseUp } from './picture/close-up.tsx'

/** What a region's popup says, also shown in the document itself. */
export function PartBody({ part }: { part: PartKey }) {
  return (
    <div className={styles.body}>
      {PARTS[part].legend.length > 0 && <CloseUp part={part} />}
      <GuideBlocks blocks={PARTS[part].body} />
      {part === 'keys' && (
        <>
          <KeyboardPictures />
          <ControlTable caption="Default key table" groups={KEY_TABLE} keys />
          <p className={styles.note}>Lines with a yellow edge are different in the two types.</p>
        </>
      )}
      {part === 'mouse' && (
        <>
          <MousePictures />
          <ControlTable caption="Mouse control" groups={MOUSE_TABLE} />
          <p className={styles.note}>Lines with a yellow edge are different in the two types.</p>
        </>
      )}
    </div>
  )
}

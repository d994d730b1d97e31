import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { saveFile } from './save-file.ts'
import styles from './shown-once.module.css'

type ShownOnceProps = {
  /** 'The codes of Rainy season'. */
  title: string
  /** One secret a line. */
  secrets: readonly string[]
  fileName: string
  onClose: () => void
}

/** Secrets that nobody can see again, such as voucher codes: the window closes only after they were saved or copied. */
export function ShownOnce({ title, secrets, fileName, onClose }: ShownOnceProps) {
  const [isKept, setKept] = useState(false)
  const text = secrets.join('\n')
  const save = () => {
    saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), fileName)
    setKept(true)
  }
  return (
    <DialogWindow
      open
      title={title}
      tone="done"
      onClose={isKept ? onClose : undefined}
      actions={
        <>
          <CopyButton text={text} what="all of them" onCopied={() => setKept(true)} />
          <Button tone={isKept ? 'secondary' : 'primary'} onClick={save}>
            Save as a file
          </Button>
          {isKept && <Button onClick={onClose}>Done</Button>}
        </>
      }
    >
      <p>They are shown only once. Save or copy them now: nobody can look them up later.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
      <pre className={styles.secrets} tabIndex={0}>
        {text}
      </pre>
    </DialogWindow>
  )
}

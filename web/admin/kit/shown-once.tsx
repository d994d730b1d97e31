import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import styles from './shown-once.module.css'

type ShownOnceProps = {
  /** 'The codes of Rainy season'. */
  title: string
  /** A list is shown one secret per line; a record shows each secret under its name, with a button to copy it. */
  secrets: readonly string[] | Readonly<Record<string, string>>
  fileName: string
  onClose: () => void
}

/**
 * Shows secrets that the site shows only once, such as voucher codes. The dialog can close only after they are saved or
 * copied.
 */
export function ShownOnce({ title, secrets, fileName, onClose }: ShownOnceProps) {
  const [isSaved, setSaved] = useState(false)
  const [copied, setCopied] = useState<readonly string[]>([])
  const parts = Object.entries(Array.isArray(secrets) ? { '': secrets.join('\n') } : secrets)
  const isStored = isSaved || parts.every(([name]) => copied.includes(name))
  const save = () => {
    const text = parts.map(([name, value]) => (name === '' ? value : `${name}: ${value}`)).join('\n')
    saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), fileName)
    setSaved(true)
  }
  return (
    <DialogWindow
      open
      title={title}
      tone="done"
      onClose={isStored ? onClose : undefined}
      actions={
        <>
          <Button tone={isStored ? 'secondary' : 'primary'} onClick={save}>
            Save as a file
          </Button>
          {isStored && <Button onClick={onClose}>Done</Button>}
        </>
      }
    >
      <p>They are shown only once. Save or copy them now: they can’t be shown again.</p>
      {parts.map(([name, value]) => (
        <div key={name} className={styles.part}>
          {name !== '' && <b>{name}</b>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
          <pre className={styles.secrets} tabIndex={0}>
            {value}
          </pre>
          <CopyButton
            text={value}
            what={name === '' ? 'all of them' : name}
            onCopied={() => setCopied((before) => [...before, name])}
          />
        </div>
      ))}
    </DialogWindow>
  )
}

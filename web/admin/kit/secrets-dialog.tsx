import { useState } from 'react'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import styles from './secrets-dialog.module.css'

type SecretsDialogProps = {
  /** The title of the dialog: 'The codes of Rainy season'. */
  title: string
  /** The secrets: a list with one secret a line, or a record with a name and a copy button for each secret. */
  secrets: readonly string[] | Readonly<Record<string, string>>
  fileName: string
  onClose: () => void
}

/**
 * Shows secrets that the site shows only once, such as voucher codes. The dialog can close only after they are saved or
 * copied.
 */
export function SecretsDialog({ title, secrets, fileName, onClose }: SecretsDialogProps) {
  const [isSaved, setIsSaved] = useState(false)
  const [copiedNames, setCopiedNames] = useState<readonly string[]>([])
  const namedSecrets = Object.entries(Array.isArray(secrets) ? { '': secrets.join('\n') } : secrets)
  const isStored = isSaved || namedSecrets.every(([name]) => copiedNames.includes(name))
  const save = () => {
    const text = namedSecrets.map(([name, value]) => (name === '' ? value : `${name}: ${value}`)).join('\n')
    saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), fileName)
    setIsSaved(true)
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
      <p>Save or copy this now: the site can’t show it again.</p>
      {namedSecrets.map(([name, value]) => (
        <div key={name} className={styles.part}>
          {name !== '' && <b>{name}</b>}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reached by the keyboard */}
          <pre className={styles.secrets} tabIndex={0}>
            {value}
          </pre>
          <CopyButton
            text={value}
            what={name === '' ? 'all of them' : name}
            onCopied={() => setCopiedNames((copied) => [...copied, name])}
          />
        </div>
      ))}
    </DialogWindow>
  )
}

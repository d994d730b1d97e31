import { useEffect } from 'react'
import { encode } from 'uqr'
import { Button } from '#web/ui/button.tsx'
import { CopyButton } from '#web/ui/copy.tsx'
import { TextField, type TextFieldProps } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import styles from './second-factor.module.css'

type AppSetUpProps = Omit<TextFieldProps, 'label'> & { secret: string; uri: string }

/** The form part that sets up an authenticator app: a QR code, the key as text, and a field for a code of the app. */
export function AppSetUp({ secret, uri, ...field }: AppSetUpProps) {
  return (
    <>
      <QrCode text={uri} />
      <div className={styles.secret}>
        <span>Or type this key</span>
        <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
        <CopyButton text={secret} what="the key" />
        <a href={uri}>Open an app on this device</a>
      </div>
      <TextField
        label="Code from the app"
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        className={styles.code}
        {...field}
      />
    </>
  )
}

/** A QR code in black on white, with the margin that cameras need. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  const darkSquares = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label="QR code for an authenticator app"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={darkSquares.join('')} />
    </svg>
  )
}

/** Shows new recovery codes, with buttons to save them. */
export function RecoveryCodes({ codes, userId }: { codes: string[]; userId: string }) {
  useEffect(() => {
    const { dataset } = document.documentElement
    dataset.prints = 'codes'
    return () => {
      delete dataset.prints
    }
  }, [])
  const text = `${location.host}, ${userId}: recovery codes\nEach one works once.\n\n${codes.join('\n')}\n`
  return (
    <div className={layout.stack} data-prints="codes">
      <p>
        Save these codes where you can find them if you lose your phone. Each one logs you in once. They won’t be shown
        again.
      </p>
      <ol className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={`${layout.buttons} ${styles.buttons}`}>
        <Button tone="secondary" onClick={() => saveText(text, `recovery-codes-${userId}.txt`)}>
          Download
        </Button>
        <CopyButton text={text} what="the codes" />
        <Button tone="secondary" onClick={() => print()}>
          Print
        </Button>
      </div>
    </div>
  )
}

function saveText(text: string, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  link.download = name
  link.click()
  URL.revokeObjectURL(link.href)
}

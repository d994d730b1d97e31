import { type ChangeEvent, type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { SCREENSHOTS_MAX } from '#contract/limits.ts'
import { SCREENSHOT_TEXTS } from '#contract/tickets.ts'
import field from '#web/ui/field.module.css'
import { FieldError } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { addPictures, formatSize, PICTURE_TYPES } from './picture-rules.ts'
import styles from './pictures-field.module.css'

type Props = {
  name: string
  /** The chosen files; other values count as none. */
  value: unknown
  /** The server's error for the files. */
  error: string | undefined
  onChange: (event: { target: { name: string; value: File[] } }) => unknown
  ref: Ref<{ focus: () => void }>
}

/**
 * A field for up to three screenshots, which can be picked, dropped or pasted, with previews. Invalid files are refused
 * before anything is sent.
 */
export function PicturesField({ name, value, error, onChange, ref }: Props) {
  const pictures = Array.isArray(value) ? (value as File[]) : []
  const [refusalTexts, setRefusalTexts] = useState<string[]>([])
  const [message, setMessage] = useState('')
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => ({ focus: () => picker.current?.focus() }), [])

  const change = (left: File[], what: string) => {
    onChange({ target: { name, value: left } })
    setMessage(`${what}. ${left.length} of ${SCREENSHOTS_MAX} screenshots.`)
  }
  const add = (files: readonly File[]) => {
    if (files.length === 0) return
    const result = addPictures(pictures, files)
    const more = result.pictures.length - pictures.length
    setRefusalTexts(result.refusals)
    if (more > 0) change(result.pictures, `${more} added`)
  }
  const remove = (file: File) => {
    setRefusalTexts([])
    const left = pictures.filter((picture) => picture !== file)
    change(left, `${file.name} removed`)
    picker.current?.focus()
  }
  const onPick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    add([...(target.files ?? [])])
    target.value = ''
  }
  const dragging = usePageDrops(add)
  const refusals = error === undefined ? refusalTexts : [...refusalTexts, error]
  const full = pictures.length >= SCREENSHOTS_MAX
  return (
    <div className={`${layout.stack} ${styles.field}`}>
      <span className={field.label}>
        <span id={`${id}-label`}>Screenshots</span>
        <span className={field.hint}>
          {pictures.length === 0 ? 'optional' : `${pictures.length} of ${SCREENSHOTS_MAX}`}
        </span>
      </span>
      {pictures.length > 0 && (
        <ul className={styles.previews} aria-labelledby={`${id}-label`}>
          {pictures.map((file) => (
            <Preview
              key={`${file.name}-${file.lastModified}-${file.size}`}
              file={file}
              refused={refusals.some((text) => text.includes(`“${file.name}”`))}
              onRemove={() => remove(file)}
            />
          ))}
        </ul>
      )}
      <label className={styles.zone} data-dragging={dragging || undefined} data-full={full || undefined}>
        <input
          ref={picker}
          type="file"
          name={name}
          accept={PICTURE_TYPES.join()}
          multiple
          className={styles.input}
          aria-describedby={`${id}-hint ${id}-errors`}
          onChange={onPick}
        />
        <svg width="32" height="32" viewBox="0 0 32 32" fill="none" stroke="currentColor" strokeWidth="2.6" aria-hidden>
          <path d="M3 7h26v19H3zM3 21l8-7 7 6 4-3 7 6M22 12.5v.1" />
        </svg>
        <span className={styles.text}>
          <strong>{full ? 'That is the limit' : pictures.length > 0 ? 'Add another' : 'Add screenshots'}</strong>
          <span id={`${id}-hint`}>{SCREENSHOT_TEXTS.hint}</span>
          <span className={styles.desktop}>Or drop them here, or paste with Ctrl + V.</span>
        </span>
      </label>
      <div id={`${id}-errors`} role="alert" className={styles.errors}>
        {refusals.map((text, index) => (
          <FieldError key={text} id={`${id}-error-${index}`}>
            {text}
          </FieldError>
        ))}
      </div>
      <span className="visually-hidden" role="status">
        {message}
      </span>
    </div>
  )
}

const listFiles = (data: DataTransfer | null) => [...(data?.files ?? [])]
const carriesFiles = (data: DataTransfer | null) => data?.types.includes('Files') ?? false

/**
 * Returns whether a paste contains only files. A picture copied from a document comes with text, and then the text is
 * pasted.
 */
const isPicturePaste = (data: DataTransfer | null) => carriesFiles(data) && !data?.types.includes('text/plain')

/**
 * Accepts files that are dropped anywhere on the page, or pasted. Otherwise a file dropped outside the form would
 * replace the page, and the typed text would be lost.
 *
 * @returns whether a file is being dragged over the page
 */
function usePageDrops(add: (files: readonly File[]) => void): boolean {
  const [dragging, setDragging] = useState(false)
  const adder = useRef(add)
  adder.current = add
  useEffect(() => {
    const abort = new AbortController()
    const listen = <Name extends keyof WindowEventMap>(name: Name, act: (event: WindowEventMap[Name]) => void) =>
      window.addEventListener(name, act, { signal: abort.signal })
    listen('dragover', (event) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      setDragging(true)
    })
    listen('dragleave', (event) => {
      if (event.relatedTarget === null) setDragging(false)
    })
    listen('drop', (event) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      setDragging(false)
      adder.current(listFiles(event.dataTransfer))
    })
    listen('paste', (event) => {
      if (!isPicturePaste(event.clipboardData)) return
      event.preventDefault()
      adder.current(listFiles(event.clipboardData))
    })
    return () => abort.abort()
  }, [])
  return dragging
}

type PreviewProps = { file: File /** Whether it was refused. */; refused: boolean; onRemove: () => void }

/** A chosen file: its picture, its name and size, and a button to remove it. */
function Preview({ file, refused, onRemove }: PreviewProps) {
  const url = useObjectUrl(file)
  const [broken, setBroken] = useState(false)
  return (
    <li className={styles.preview} data-refused={refused || undefined}>
      <span className={styles.picture}>
        {url !== undefined && !broken ? (
          <img src={url} alt="" className={layout.cover} onError={() => setBroken(true)} />
        ) : (
          <span className={styles.noPreview} aria-hidden="true">
            ?
          </span>
        )}
      </span>
      <span className={styles.name}>{file.name}</span>
      <span className={styles.size}>{broken ? 'No preview' : formatSize(file.size)}</span>
      <button type="button" className={styles.remove} onClick={onRemove}>
        <span className="visually-hidden">Remove {file.name}</span>
        <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="2.6" aria-hidden>
          <path d="m2 2 12 12M14 2 2 14" />
        </svg>
      </button>
    </li>
  )
}

/** Returns an address for a blob, valid while the component is mounted. */
export function useObjectUrl(blob: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (blob === undefined) return
    const made = URL.createObjectURL(blob)
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(undefined)
    }
  }, [blob])
  return url
}

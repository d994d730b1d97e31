import { type ChangeEvent, type Ref, useEffect, useId, useImperativeHandle, useRef, useState } from 'react'
import { SCREENSHOTS_MAX } from '#contract/limits.ts'
import { SCREENSHOT_TEXTS } from '#contract/tickets.ts'
import field from '#web/ui/field.module.css'
import { FieldError } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { addPictures, formatSize, PICTURE_TYPES } from './picture-rules.ts'
import styles from './pictures-field.module.css'

type PicturesFieldProps = {
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
export function PicturesField({ name, value, error, onChange, ref }: PicturesFieldProps) {
  const pictures = Array.isArray(value) ? (value as File[]) : []
  const [refusalTexts, setRefusalTexts] = useState<string[]>([])
  const [message, setMessage] = useState('')
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  useImperativeHandle(ref, () => ({ focus: () => picker.current?.focus() }), [])

  const changePictures = (remainingPictures: File[], changeText: string) => {
    onChange({ target: { name, value: remainingPictures } })
    setMessage(`${changeText}. ${remainingPictures.length} of ${SCREENSHOTS_MAX} screenshots.`)
  }
  const addFiles = (files: readonly File[]) => {
    if (files.length === 0) return
    const result = addPictures(pictures, files)
    const addedCount = result.pictures.length - pictures.length
    setRefusalTexts(result.refusals)
    if (addedCount > 0) changePictures(result.pictures, `${addedCount} added`)
  }
  const removeFile = (file: File) => {
    setRefusalTexts([])
    const remainingPictures = pictures.filter((picture) => picture !== file)
    changePictures(remainingPictures, `${file.name} removed`)
    picker.current?.focus()
  }
  const onPick = ({ target }: ChangeEvent<HTMLInputElement>) => {
    addFiles([...(target.files ?? [])])
    target.value = ''
  }
  const isDragging = usePageDrops(addFiles)
  const refusals = error === undefined ? refusalTexts : [...refusalTexts, error]
  const isFull = pictures.length >= SCREENSHOTS_MAX
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
              isRefused={refusals.some((text) => text.includes(`“${file.name}”`))}
              onRemove={() => removeFile(file)}
            />
          ))}
        </ul>
      )}
      <label className={styles.zone} data-dragging={isDragging || undefined} data-full={isFull || undefined}>
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
          <strong>{isFull ? 'That is the limit' : pictures.length > 0 ? 'Add another' : 'Add screenshots'}</strong>
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
function usePageDrops(addFiles: (files: readonly File[]) => void): boolean {
  const [isDragging, setIsDragging] = useState(false)
  const latestAddFiles = useRef(addFiles)
  latestAddFiles.current = addFiles
  useEffect(() => {
    const abort = new AbortController()
    const addListener = <Name extends keyof WindowEventMap>(
      name: Name,
      handleEvent: (event: WindowEventMap[Name]) => void,
    ) => window.addEventListener(name, handleEvent, { signal: abort.signal })
    addListener('dragover', (event) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      setIsDragging(true)
    })
    addListener('dragleave', (event) => {
      if (event.relatedTarget === null) setIsDragging(false)
    })
    addListener('drop', (event) => {
      if (!carriesFiles(event.dataTransfer)) return
      event.preventDefault()
      setIsDragging(false)
      latestAddFiles.current(listFiles(event.dataTransfer))
    })
    addListener('paste', (event) => {
      if (!isPicturePaste(event.clipboardData)) return
      event.preventDefault()
      latestAddFiles.current(listFiles(event.clipboardData))
    })
    return () => abort.abort()
  }, [])
  return isDragging
}

type PreviewProps = { file: File /** Whether it was refused. */; isRefused: boolean; onRemove: () => void }

/** A chosen file: its picture, its name and size, and a button to remove it. */
function Preview({ file, isRefused, onRemove }: PreviewProps) {
  const url = useObjectUrl(file)
  const [isBroken, setIsBroken] = useState(false)
  return (
    <li className={styles.preview} data-refused={isRefused || undefined}>
      <span className={styles.picture}>
        {url !== undefined && !isBroken ? (
          <img src={url} alt="" className={layout.cover} onError={() => setIsBroken(true)} />
        ) : (
          <span className={styles.noPreview} aria-hidden="true">
            ?
          </span>
        )}
      </span>
      <span className={styles.name}>{file.name}</span>
      <span className={styles.size}>{isBroken ? 'No preview' : formatSize(file.size)}</span>
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
    const objectUrl = URL.createObjectURL(blob)
    setUrl(objectUrl)
    return () => {
      URL.revokeObjectURL(objectUrl)
      setUrl(undefined)
    }
  }, [blob])
  return url
}

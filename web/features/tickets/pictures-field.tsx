import { type ChangeEvent, useEffect, useId, useRef } from 'react'
import { SCREENSHOTS_MAX } from '#contract/limits.ts'
import { SCREENSHOT } from '#contract/ticket-messages.ts'
import { FieldErrorText } from '#web/features/account/field-error.tsx'
import field from '#web/ui/field.module.css'
import { PicturePreview } from './picture-preview.tsx'
import { PICTURE_TYPES } from './picture-rules.ts'
import styles from './pictures-field.module.css'
import type { Pictures } from './use-pictures.ts'

/** Up to three screenshots: picked, dropped or pasted, each with its preview. */
export function PicturesField({ pictures: chosen }: { pictures: Pictures }) {
  const { pictures, refusals, said, dragging, timesRefused, add, remove } = chosen
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (timesRefused > 0) picker.current?.focus()
  }, [timesRefused])
  const full = pictures.length >= SCREENSHOTS_MAX
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    add([...(target.files ?? [])])
    target.value = ''
  }
  const takeAway = (file: File) => {
    remove(file)
    picker.current?.focus()
  }
  return (
    <div className={styles.field}>
      <span className={field.label}>
        <span id={`${id}-label`}>Screenshots</span>
        <span className={field.hint}>
          {pictures.length === 0 ? 'optional' : `${pictures.length} of ${SCREENSHOTS_MAX}`}
        </span>
      </span>
      {pictures.length > 0 && (
        <ul className={styles.previews} aria-labelledby={`${id}-label`}>
          {pictures.map((file) => (
            <PicturePreview
              key={`${file.name}-${file.lastModified}-${file.size}`}
              file={file}
              refused={refusals.some((text) => text.includes(`“${file.name}”`))}
              onRemove={() => takeAway(file)}
            />
          ))}
        </ul>
      )}
      <label className={styles.zone} data-dragging={dragging || undefined} data-full={full || undefined}>
        <input
          ref={picker}
          type="file"
          name="screenshots"
          accept={PICTURE_TYPES.join()}
          multiple
          className={styles.input}
          aria-describedby={`${id}-hint ${id}-errors`}
          onChange={onChange}
        />
        <svg width="32" height="32" viewBox="0 0 32 32" fill="none" stroke="currentColor" strokeWidth="2.6" aria-hidden>
          <path d="M3 7h26v19H3zM3 21l8-7 7 6 4-3 7 6M22 12.5v.1" />
        </svg>
        <span className={styles.words}>
          <strong>{full ? 'That is all of them' : pictures.length > 0 ? 'Add another' : 'Add screenshots'}</strong>
          <span id={`${id}-hint`}>{SCREENSHOT.hint}</span>
          <span className={styles.desktop}>Or drop them here, or paste with Ctrl + V.</span>
        </span>
      </label>
      <div id={`${id}-errors`} role="alert" className={styles.errors}>
        {refusals.map((text, index) => (
          <FieldErrorText key={text} id={`${id}-error-${index}`}>
            {text}
          </FieldErrorText>
        ))}
      </div>
      <span className="visually-hidden" role="status">
        {said}
      </span>
    </div>
  )
}

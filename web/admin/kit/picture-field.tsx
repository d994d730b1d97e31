import { type ChangeEvent, type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from 'react'
import type { CallOutput } from '#contract/endpoint.ts'
import {
  type Crop,
  PICTURE_MAX_BYTES,
  PICTURE_TEXTS,
  PICTURE_USES,
  type PictureUse,
  type PictureUseName,
  uploadPicture,
} from '#contract/files.ts'
import { getAlertText } from '#web/api/call.ts'
import { Button } from '#web/ui/button.tsx'
import { DialogWindow } from '#web/ui/dialog-window.tsx'
import { FieldError } from '#web/ui/field.tsx'
import { deskCall } from './call.ts'
import deskLayout from './desk-layout.module.css'
import { DeskIcon } from './icons.tsx'
import styles from './picture-field.module.css'

/** The sizes in which a picture is stored, the largest first. */
type UploadedFiles = CallOutput<typeof uploadPicture>['files']

type PictureFieldProps = {
  label: string
  /** The use of the picture, which determines its shape and sizes. */
  use: PictureUseName
  /** The address of the current picture. */
  value: string | null | undefined
  /** Receives the address of the largest size and all sizes; null after the picture is removed. */
  onChange: (url: string | null, files: UploadedFiles) => void
  error?: string | undefined
  /** Replaces the list of accepted files if the form shows it elsewhere. */
  hint?: string
  /** Whether a picture is required; it can then be replaced but not removed. */
  required?: boolean
}

/** A field for a picture from the device. The picture is cropped if its use has a fixed shape, and uploaded at once. */
export function PictureField({ label, use, value, onChange, error, hint, required = false }: PictureFieldProps) {
  const id = useId()
  const inputRef = useRef<HTMLInputElement>(null)
  const [chosenFile, setChosenFile] = useState<File | null>(null)
  const [failure, setFailure] = useState<string | undefined>()
  const [busy, setBusy] = useState(false)
  const { cut, sizes, svg = false }: PictureUse = PICTURE_USES[use]
  const acceptedHint = svg ? PICTURE_TEXTS.hintWithSvg : PICTURE_TEXTS.hint
  const { width, height } = sizes[0] ?? { width: 0, height: 0 }

  const upload = async (picture: File, crop: Partial<Crop>) => {
    setBusy(true)
    try {
      const { files } = await deskCall(uploadPicture, { picture, use, ...crop })
      onChange(files[0]?.url ?? null, files)
      setChosenFile(null)
    } catch (uploadError) {
      setFailure(getAlertText(uploadError))
      setChosenFile(null)
    } finally {
      setBusy(false)
    }
  }

  const choose = ({ currentTarget }: ChangeEvent<HTMLInputElement>) => {
    const file = currentTarget.files?.[0]
    currentTarget.value = ''
    if (file === undefined) return
    const isSvg = svg && file.type === 'image/svg+xml'
    const isInvalid = !(isSvg || /^image\/(png|jpeg|webp)$/.test(file.type)) || file.size > PICTURE_MAX_BYTES
    setFailure(isInvalid ? acceptedHint : undefined)
    if (isInvalid) return
    if (cut && !isSvg) setChosenFile(file)
    else void upload(file, {})
  }

  const message = failure ?? error
  return (
    <div className={styles.field}>
      <div className={styles.label} id={`${id}-label`}>
        {label} <span>{cut ? `${width} × ${height}` : `at most ${width} × ${height}`}</span>
      </div>
      <div className={styles.frame} style={{ aspectRatio: `${width} / ${height}`, maxWidth: Math.min(width, 420) }}>
        {value ? <img src={value} alt={`${label} now`} /> : <DeskIcon name="picture" size={32} />}
      </div>
      <input
        ref={inputRef}
        id={id}
        type="file"
        accept={`image/png,image/jpeg,image/webp${svg ? ',image/svg+xml' : ''}`}
        className="visually-hidden"
        aria-labelledby={`${id}-label`}
        aria-describedby={message === undefined ? `${id}-hint` : `${id}-error`}
        aria-invalid={message !== undefined || undefined}
        tabIndex={-1}
        onChange={choose}
      />
      <div className={styles.buttons}>
        <Button tone="secondary" busy={busy} onClick={() => inputRef.current?.click()}>
          {value ? 'Replace' : 'Choose a picture'}
        </Button>
        {value && !required && (
          <Button tone="quiet" onClick={() => onChange(null, [])}>
            Remove<span className="visually-hidden"> the {label}</span>
          </Button>
        )}
      </div>
      {message === undefined ? (
        <p className={deskLayout.muted} id={`${id}-hint`}>
          {hint ?? acceptedHint}
        </p>
      ) : (
        <FieldError id={`${id}-error`}>{message}</FieldError>
      )}
      {chosenFile !== null && (
        <CropDialog
          file={chosenFile}
          size={{ width, height }}
          busy={busy}
          onClose={() => setChosenFile(null)}
          onDone={(crop) => void upload(chosenFile, crop)}
        />
      )}
    </div>
  )
}

/** The largest zoom of a picture in its frame. */
const ZOOM_MAX = 4

/** Returns the part of a picture that the frame shows, as fractions from 0 to 1, limited to the picture. */
function cropAround({ x, y, zoom }: CropView, aspect: number, picture: { width: number; height: number }): Crop {
  const pictureAspect = picture.width / picture.height
  const width = Math.min(1, aspect / pictureAspect) / zoom
  const height = Math.min(1, pictureAspect / aspect) / zoom
  const clampStart = (center: number, size: number) => Math.min(Math.max(center - size / 2, 0), 1 - size)
  return { left: clampStart(x, width), top: clampStart(y, height), width, height }
}

/** The center of the shown part, as fractions of the picture, and the zoom. */
type CropView = { x: number; y: number; zoom: number }

const KEY_STEPS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

type CropDialogProps = {
  file: File
  /** The maximum display size, in pixels. */
  size: { width: number; height: number }
  busy: boolean
  onClose: () => void
  onDone: (crop: Crop) => void
}

/** A dialog to crop a picture by dragging, with the arrow keys, and with a zoom slider. */
function CropDialog({ file, size, busy, onClose, onDone }: CropDialogProps) {
  const aspect = size.width / size.height
  const [pictureUrl, setPictureUrl] = useState<string | null>(null)
  const [picture, setPicture] = useState<{ width: number; height: number } | null>(null)
  const [view, setView] = useState<CropView>({ x: 0.5, y: 0.5, zoom: 1 })
  const frameRef = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const objectUrl = URL.createObjectURL(file)
    setPictureUrl(objectUrl)
    return () => URL.revokeObjectURL(objectUrl)
  }, [file])
  const crop = picture && cropAround(view, aspect, picture)
  const partSize = crop && {
    width: Math.round(crop.width * picture.width),
    height: Math.round(crop.height * picture.height),
  }

  /** Moves the picture by fractions of the frame. */
  const move = (right: number, down: number) => {
    if (crop === null) return
    const { left, top, width, height } = crop
    const next = { ...view, x: left + width / 2 - right * width, y: top + height / 2 - down * height }
    const movedCrop = picture && cropAround(next, aspect, picture)
    if (movedCrop) setView({ ...next, x: movedCrop.left + width / 2, y: movedCrop.top + height / 2 })
  }
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    const frameRect = frameRef.current?.getBoundingClientRect()
    if (event.buttons === 0 || frameRect === undefined) return
    move(event.movementX / frameRect.width, event.movementY / frameRect.height)
  }
  const handleKey = (event: KeyboardEvent) => {
    const step = KEY_STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    move(step[0] * -0.05, step[1] * -0.05)
  }

  return (
    <DialogWindow
      open
      onClose={busy ? undefined : onClose}
      title="Choose the part to show"
      actions={
        <>
          <Button tone="secondary" onClick={onClose}>
            Cancel
          </Button>
          <Button busy={busy} onClick={() => crop && onDone(crop)}>
            Use this part
          </Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/useSemanticElements: it moves in two directions; HTML has no element for that */}
      <div
        ref={frameRef}
        className={styles.crop}
        style={{ aspectRatio: aspect, width: `min(100%, calc(50vh * ${aspect}))` }}
        role="group"
        aria-label="The picture in its frame. Arrow keys move it."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the picture
        tabIndex={0}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={handleKey}
      >
        {pictureUrl !== null && (
          <img
            src={pictureUrl}
            alt=""
            draggable={false}
            onLoad={({ currentTarget }) =>
              setPicture({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
            }
            style={
              crop === null
                ? { opacity: 0 }
                : {
                    width: `${100 / crop.width}%`,
                    left: `${(-100 * crop.left) / crop.width}%`,
                    top: `${(-100 * crop.top) / crop.height}%`,
                  }
            }
          />
        )}
      </div>
      {partSize !== null && partSize.width < size.width && (
        <p className={styles.small} role="status">
          This part has only {partSize.width} × {partSize.height} pixels. It is shown at up to {size.width} ×{' '}
          {size.height}, so it will look blurred. Choose a larger picture if you can.
        </p>
      )}
      <label className={styles.zoom}>
        Size
        <input
          type="range"
          min={1}
          max={ZOOM_MAX}
          step={0.05}
          value={view.zoom}
          onChange={({ currentTarget }) => setView({ ...view, zoom: Number(currentTarget.value) })}
        />
      </label>
    </DialogWindow>
  )
}

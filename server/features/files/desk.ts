import { isUtf8 } from 'node:buffer'
import {
  CAPTIONS_MAX_BYTES,
  CAPTIONS_RULE,
  type Crop,
  PICTURE_MAX_BYTES,
  PICTURE_TEXTS,
  PICTURE_USES,
  uploadCaptions,
  uploadPicture,
} from '#contract/files.ts'
import { SCREENSHOT_TEXTS } from '#contract/tickets.ts'
import { createInputRefusal, refuse } from '#server/errors.ts'
import { type MountedCall, mount } from '#server/http/mount.ts'
import { encodePicture, toPictureName } from './pictures.ts'
import { storeCaptions, storePictures } from './store.ts'

/** The desk's calls for files. */
export const fileDeskCalls: MountedCall[] = [
  mount(uploadPicture, {
    prepare: ({ picture, use, ...cropFields }) => {
      if (picture.size === 0)
        throw createInputRefusal({ picture: [SCREENSHOT_TEXTS.empty(toPictureName(picture.name))] })
      if (picture.size > PICTURE_MAX_BYTES) throw refuse(uploadPicture, 'tooLarge')
      return encodePicture(picture, { field: 'picture', ...PICTURE_USES[use], crop: parseCrop(cropFields) })
    },
    write: async ({ use }, { deps: { db, now }, prepared, record }) => {
      const files = await storePictures(db, prepared, 'site', now())
      record({ target: ['file', files[0]?.url ?? ''], after: { use, sizes: files.length } })
      return { files }
    },
  }),

  mount(uploadCaptions, {
    prepare: async ({ captions }) => {
      const content = Buffer.from(await captions.arrayBuffer())
      if (content.length > CAPTIONS_MAX_BYTES || !isWebVtt(content))
        throw createInputRefusal({ captions: [CAPTIONS_RULE] })
      return content
    },
    write: async (_, { deps: { db, now }, prepared, record }) => {
      const url = await storeCaptions(db, prepared, now())
      record({ target: ['file', url], after: { use: 'captions' } })
      return { url }
    },
  }),
]

/** Returns whether a file is text that begins as WebVTT does, and has a line with times. */
const isWebVtt = (content: Buffer) =>
  isUtf8(content) && /^\uFEFF?WEBVTT[ \t\r\n][\s\S]*\d:\d\d\.\d{3}[ \t]+-->[ \t]+(\d+:)?\d/.test(content.toString())

/** Returns the chosen part of a picture; undefined for the whole picture. @throws Refusal 422 if it exceeds the picture */
function parseCrop({ left, top, width, height }: Partial<Crop>): Crop | undefined {
  if (left === undefined && top === undefined && width === undefined && height === undefined) return undefined
  const crop = { left: left ?? 0, top: top ?? 0, width: width ?? 1, height: height ?? 1 }
  const isInside =
    crop.width > 0 && crop.height > 0 && crop.left + crop.width <= 1.001 && crop.top + crop.height <= 1.001
  if (!isInside) throw createInputRefusal({ picture: [PICTURE_TEXTS.crop] })
  return crop
}

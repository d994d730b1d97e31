import { getTheme, saveTheme } from '#contract/desk-theme.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { PICTURE_TEXTS } from '#contract/files.ts'
import { THEME_SLOT_NAMES, THEME_SLOTS, type ThemePictures, type ThemeSlot, themeFields } from '#contract/theme.ts'
import { COLOR_NAMES, checkColors, formatRatio, listPairs, type ThemeColors } from '#contract/theme-colors.ts'
import { SheetPart } from '#web/forms/sheet.tsx'
import { useCurrencyText } from '#web/ui/currency-names.ts'
import control from '#web/ui/field.module.css'
import { FieldFrame } from '#web/ui/field.tsx'
import { deskCall } from '../../kit/call.ts'
import { DeskForm, type DeskFormState } from '../../kit/desk-form.tsx'
import deskLayout from '../../kit/desk-layout.module.css'
import { PictureField } from '../../kit/picture-field.tsx'
import styles from './theme.module.css'

type ThemeFormState = DeskFormState<typeof saveTheme>
type ThemeAnswer = CallOutput<typeof getTheme>

const getValues = ({ draft, published }: Pick<ThemeAnswer, 'draft' | 'published'>) => {
  const { title, colors, pictures } = draft ?? published
  return { version: draft?.version ?? 0, title, ...colors, pictures }
}

/** Edits the draft: its colors with their contrasts, and its pictures. */
export function ThemeForm({ theme }: { theme: ThemeAnswer }) {
  return (
    <DeskForm
      endpoint={saveTheme}
      title={theme.draft === null ? 'A new theme' : 'The draft'}
      fields={themeFields}
      show={(form) => [
        'title',
        <SheetPart key="colors" title="Colors">
          <p className={deskLayout.hint}>Every other color of the site follows from these three.</p>
          <div className={styles.colors}>
            {COLORS.map((name) => (
              <ColorField key={name} name={name} form={form} />
            ))}
          </div>
          <Contrasts form={form} />
        </SheetPart>,
        <SheetPart key="pictures" title="Pictures">
          <p className={deskLayout.hint}>
            Without a picture of yours, players see the default. {PICTURE_TEXTS.hintWithSvg} The site converts an SVG
            drawing to a picture of pixels, and does not store the SVG.
          </p>
          <Pictures form={form} />
        </SheetPart>,
      ]}
      values={getValues(theme)}
      fetchLatest={async () => getValues(await deskCall(getTheme, {}))}
      submitLabel="Save the draft"
    />
  )
}

const COLORS = Object.keys(COLOR_NAMES) as (keyof ThemeColors)[]

/** A color as hexadecimal digits and in the browser's color picker. */
function ColorField({ name, form }: { name: keyof ThemeColors; form: ThemeFormState }) {
  const { label, hint } = themeFields[name]
  const colors = readColors(form)
  const value = form.values[name] ?? ''
  const isColor = /^#[0-9a-f]{6}$/i.test(value)
  return (
    <FieldFrame label={label} hint={hint} error={form.getError(name) ?? (colors && checkColors(colors)[name])}>
      {(controlProps) => (
        <span className={styles.color}>
          <input
            type="color"
            aria-label={`${label}: palette`}
            value={isColor ? value : '#000000'}
            onChange={({ currentTarget }) => form.change({ [name]: currentTarget.value })}
          />
          <input
            {...controlProps}
            className={control.input}
            value={value}
            spellCheck={false}
            autoComplete="off"
            autoCapitalize="none"
            onChange={({ currentTarget }) => form.change({ [name]: currentTarget.value })}
          />
        </span>
      )}
    </FieldFrame>
  )
}

/** Returns the colors in the form; undefined until each is valid. */
function readColors({ values: { ground = '', accent = '', second = '' } }: ThemeFormState): ThemeColors | undefined {
  const colors = { ground: ground.toLowerCase(), accent: accent.toLowerCase(), second: second.toLowerCase() }
  return Object.values(colors).every((color) => /^#[0-9a-f]{6}$/.test(color)) ? colors : undefined
}

/** Shows the contrast of every pair of colors that meets on the site, insufficient ones first. */
function Contrasts({ form }: { form: ThemeFormState }) {
  const colors = readColors(form)
  if (colors === undefined) return null
  const pairs = listPairs(colors)
  const failingPairs = pairs.filter(({ ratio, minContrast: least }) => ratio < least)
  const passingPairs = pairs.filter(({ ratio, minContrast: least }) => ratio >= least)
  return (
    <details className={styles.contrasts} open={failingPairs.length > 0 || undefined}>
      <summary>
        {failingPairs.length === 0
          ? `All ${pairs.length} pairs of colors can be distinguished`
          : `${failingPairs.length} of ${pairs.length} pairs of colors are too close`}
      </summary>
      <table>
        <caption className="visually-hidden">The contrast of every pair of colors, and the required minimum</caption>
        <thead>
          <tr>
            <th scope="col">Sample</th>
            <th scope="col">Colors</th>
            <th scope="col">Contrast</th>
            <th scope="col">Needed</th>
          </tr>
        </thead>
        <tbody>
          {[...failingPairs, ...passingPairs].map(({ frontName, backName, front, back, ratio, minContrast: least }) => (
            <tr key={`${frontName} ${backName}`} data-fails={ratio < least || undefined}>
              <td>
                <span className={styles.sample} style={{ background: back, color: front }} aria-hidden="true">
                  Aa
                </span>
              </td>
              <th scope="row">
                {frontName} on {backName}
              </th>
              <td>{formatRatio(ratio)}</td>
              <td>{ratio < least ? `too close: ${least} : 1` : `${least} : 1`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

/** Kinds with many pictures are folded; the key is the beginning of the pictures' names. */
const FOLDED_KINDS = {
  crest_: 'Crests of the schools',
  emblem_: 'Emblems of the classes',
  ribbon_: 'Ribbons of the shop',
  board_: 'Boards of the forum',
  page_: 'Drawings on pages',
} as const

function Pictures({ form }: { form: ThemeFormState }) {
  const kinds = Object.entries(FOLDED_KINDS)
  const findKind = (slot: ThemeSlot) => kinds.find(([prefix]) => slot.startsWith(prefix))?.[0]
  const singleSlots = THEME_SLOT_NAMES.filter((slot) => findKind(slot) === undefined)
  return (
    <>
      <PictureSlots slots={singleSlots} form={form} />
      {kinds.map(([prefix, title]) => (
        <details key={prefix} className={styles.folded}>
          <summary>{title}</summary>
          <PictureSlots slots={THEME_SLOT_NAMES.filter((slot) => findKind(slot) === prefix)} form={form} />
        </details>
      ))}
    </>
  )
}

function PictureSlots({ slots, form }: { slots: ThemeSlot[]; form: ThemeFormState }) {
  const renameCurrencies = useCurrencyText()
  const pictures: ThemePictures = form.values.pictures ?? {}
  return (
    <div className={styles.pictures}>
      {slots.map((slot) => {
        const { label, where, use } = THEME_SLOTS[slot]
        return (
          <PictureField
            key={slot}
            label={renameCurrencies(label)}
            use={use}
            hint={renameCurrencies(where)}
            value={pictures[slot]?.[0]}
            onChange={(_, files) => {
              const { [slot]: _before, ...otherPictures } = form.getValues().pictures ?? {}
              form.change({
                pictures:
                  files.length === 0 ? otherPictures : { ...otherPictures, [slot]: files.map(({ url }) => url) },
              })
            }}
          />
        )
      })}
    </div>
  )
}

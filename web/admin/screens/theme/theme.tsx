import {
  discardTheme,
  exportTheme,
  getTheme,
  importTheme,
  previewTheme,
  publishTheme,
  restoreTheme,
  startFromTheme,
  THEME_FILE_TEXTS,
} from '#contract/desk-theme.ts'
import type { CallOutput } from '#contract/endpoint.ts'
import { isOriginalTheme } from '#contract/theme.ts'
import { useCall } from '#web/api/queries.ts'
import { Button } from '#web/ui/button.tsx'
import field from '#web/ui/field.module.css'
import { FieldFrame } from '#web/ui/field.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { saveFile } from '#web/ui/save-file.ts'
import { DeskAction } from '../../kit/action.tsx'
import { useAction } from '../../kit/call.ts'
import deskLayout from '../../kit/desk-layout.module.css'
import { When } from '../../kit/facts.tsx'
import { PreviewPanel } from '../../kit/preview.tsx'
import { Loaded, ScreenHead } from '../../kit/screen.tsx'
import { SettingsForms } from '../../kit/settings-form.tsx'
import styles from './theme.module.css'
import { ThemeForm } from './theme-form.tsx'

type ThemeAnswer = CallOutput<typeof getTheme>

/** Edits the site's name and theme. A new name applies at once; the theme starts as a draft. */
export function Screen() {
  const themeQuery = useCall(getTheme, {})
  return (
    <>
      <ScreenHead
        title="Theme"
        line="The name, colors and pictures of the site. Names change at once; colors and pictures are a draft until you publish them."
      />
      <div className={layout.panels}>
        <div className={deskLayout.narrow}>
          <SettingsForms permission="look.write" />
        </div>
        <Loaded result={themeQuery} height={720}>
          {(theme) => (
            <>
              <ThemeState theme={theme} />
              {theme.draft !== null && (
                <ThemePreview key={`preview ${theme.draft.version}`} version={theme.draft.version} />
              )}
              <ThemeFiles theme={theme} />
              <ThemeForm key={`form ${theme.draft?.version ?? 0}`} theme={theme} />
              <EarlierThemes theme={theme} />
            </>
          )}
        </Loaded>
      </div>
    </>
  )
}

/** Shows the published theme, and the actions on the draft. */
function ThemeState({ theme: { published, draft } }: { theme: ThemeAnswer }) {
  return (
    <Panel title={`Players see “${published.title}”`}>
      <div className={deskLayout.body}>
        {draft === null ? (
          <p>There is no draft. Start from a ready-made theme or a file, or make a new theme below.</p>
        ) : (
          <>
            <p>
              The draft “{draft.title}” was saved by {draft.saved_by} <When at={draft.saved_at} />. Check it in the
              preview, then publish it.
            </p>
            <div className={layout.buttons}>
              <DeskAction
                endpoint={publishTheme}
                input={{ version: draft.version }}
                label="Publish the draft"
                confirmation={{
                  title: `Show “${draft.title}” to players?`,
                  text: 'Every page changes at once. You can go back to the present theme under Earlier themes.',
                }}
              />
              <DeskAction
                endpoint={discardTheme}
                input={{ version: draft.version }}
                label="Discard the draft"
                tone="secondary"
                confirmation={{ title: 'Discard the draft?', text: 'Players see none of it. You can’t restore it.' }}
              />
            </div>
          </>
        )}
        {!isOriginalTheme(published) && (
          <DeskAction
            endpoint={restoreTheme}
            input={{ look: 0 }}
            label="Back to the original"
            tone="secondary"
            confirmation={{
              title: 'Show the original theme to players?',
              text: 'Every page changes at once. Your draft and the earlier themes stay.',
            }}
          />
        )}
      </div>
    </Panel>
  )
}

/** Shows real pages with the draft's theme. */
function ThemePreview({ version }: { version: number }) {
  const preview = useAction(previewTheme, { successMessage: null })
  return (
    <PreviewPanel
      createPreview={async () => (await preview.run({ version }))?.path}
      busy={preview.busy}
      pages={{ '': 'Home', '/itemshop': 'Item shop', '/rankings': 'Rankings' }}
    />
  )
}

/** Themes that come with the site, and themes as files. */
function ThemeFiles({ theme: { shipped, draft } }: { theme: ThemeAnswer }) {
  const version = draft?.version ?? 0
  const importAction = useAction(importTheme)
  const confirmation = {
    title: 'Replace the draft?',
    text: 'The content of the draft is discarded. Players see no change.',
  }
  return (
    <Panel title="Ready-made themes and files">
      <div className={deskLayout.body}>
        <p>The theme that you choose becomes the draft. If it has no logo, icon or share picture, yours stays.</p>
        <div className={layout.buttons}>
          {shipped.map(({ name, title }) => (
            <DeskAction
              key={name}
              endpoint={startFromTheme}
              input={{ name, version }}
              label={`Start from “${title}”`}
              tone="secondary"
              {...(draft !== null && { confirmation })}
            />
          ))}
        </div>
        <FieldFrame label="Import a theme" hint={THEME_FILE_TEXTS.hint}>
          {(controlProps) => (
            <input
              {...controlProps}
              type="file"
              accept=".zip,application/zip"
              className={field.input}
              disabled={importAction.busy}
              onChange={({ currentTarget }) => {
                const file = currentTarget.files?.[0]
                currentTarget.value = ''
                if (file !== undefined) void importAction.run({ look: file, version })
              }}
            />
          )}
        </FieldFrame>
        <DeskAction
          endpoint={exportTheme}
          input={{}}
          label={draft === null ? 'Export this theme' : 'Export the draft'}
          tone="secondary"
          onDone={(file) => saveFile(file, 'look.zip')}
        />
      </div>
    </Panel>
  )
}

/** Lists the earlier themes, each with a button to publish it again. */
function EarlierThemes({ theme: { earlier, published } }: { theme: ThemeAnswer }) {
  const earlierThemes = earlier.filter(({ look }) => look !== published.look)
  const restoreAction = useAction(restoreTheme)
  if (earlierThemes.length === 0) return null
  return (
    <Panel title="Earlier themes">
      <ul className={deskLayout.rows}>
        {earlierThemes.map(({ look, title, published_at, published_by }) => (
          <li key={look} className={styles.earlier}>
            <span>
              <b>{title}</b>, published by {published_by} <When at={published_at} />
            </span>
            <Button tone="secondary" busy={restoreAction.busy} onClick={() => void restoreAction.run({ look })}>
              Show again<span className="visually-hidden"> to players: {title}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

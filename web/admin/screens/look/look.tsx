import { saveNames } from '#contract/desk-settings.ts'
import layout from '#web/ui/layout.module.css'
import looks from '../../kit/looks.module.css'
import { ScreenHead } from '../../kit/screen.tsx'
import { SettingsForm } from '../../kit/settings-form.tsx'

/** The name of the site. */
export function Screen() {
  return (
    <>
      <ScreenHead title="Look" line="What the site is called, and how players see it." />
      <div className={`${layout.panels} ${looks.narrow}`}>
        <SettingsForm group="Name" endpoint={saveNames} />
      </div>
    </>
  )
}

import layout from '#web/ui/layout.module.css'
import { Link } from '#web/ui/link.tsx'
import looks from '../../kit/looks.module.css'
import { ScreenHead } from '../../kit/screen.tsx'
import { SettingsForms } from '../../kit/settings-form.tsx'
import { useMay } from '../../me.ts'
import styles from './settings.module.css'

/** How the site works: accounts, the shop, the forum, Discord and alerts, staff. */
export function Screen() {
  const may = useMay()
  return (
    <>
      <ScreenHead
        title="Settings"
        line="How the site works. Every change is kept, and can be undone."
        actions={<Link to="/admin/settings/history">History and undo</Link>}
      />
      <div className={`${layout.panels} ${looks.narrow}`}>
        {may('settings.write') && <SettingsForms permission="settings.write" />}
        {may('staff.write') && <SettingsForms permission="staff.write" />}
      </div>
      <p className={styles.more}>
        Links, the announcement and who runs the server are on the <Link to="/admin/site/names">Site</Link> screen, the
        site’s name on the screen Look.
      </p>
    </>
  )
}

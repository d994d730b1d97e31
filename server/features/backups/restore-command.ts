import { join } from 'node:path'
import type { Config } from '#server/config.ts'

const ROOT = join(import.meta.dirname, '../../..')

type BackupSettings = Pick<Config, 'dataDir' | 'backupDir' | 'siteKeyFile' | 'databaseUrl'>

/** Quotes a text for a shell. */
const quote = (text: string) => (/^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/**
 * Returns the commands that restore a backup on this machine with the settings of this site. NAME stands for the name of the
 * backup. The commands do not overwrite the current database, and omit the password of PostgreSQL.
 *
 * @param env the process's environment, which shows whether systemd started it as `deploy/tambayan.service` does
 */
export function writeRestoreCommand(backupSettings: BackupSettings, env: Record<string, string | undefined>): string {
  const { dataDir, backupDir, siteKeyFile, databaseUrl } = backupSettings
  const file = quote(`${join(backupDir, 'NAME')}`)
  const moveCommand = `mv ${quote(join(dataDir, 'db'))} ${quote(join(dataDir, 'db-before'))}-$(date +%s)`
  const newDatabase = databaseUrl === undefined ? null : describeNewDatabase(databaseUrl)
  if (env.STATE_DIRECTORY === dataDir)
    return [
      'systemctl stop tambayan',
      ...(newDatabase === null
        ? [moveCommand]
        : [
            `runuser -u postgres -- createdb --owner=${quote(newDatabase.user)} --encoding=UTF8 --template=template0 ${quote(newDatabase.name)}`,
            `# Write ${newDatabase.name} as the name of the database into DATABASE_URL:`,
            'nano /etc/tambayan.env',
          ]),
      `tambayan restore ${file}`,
      'systemctl start tambayan',
    ].join('\n')
  const settings = Object.entries({ DATA_DIR: dataDir, BACKUP_DIR: backupDir, SITE_KEY_FILE: siteKeyFile })
    .map(([name, value]) => `${name}=${quote(value)}`)
    .join(' ')
  return [
    `cd ${quote(ROOT)}`,
    ...(newDatabase === null
      ? [`DATA_DIR=${quote(dataDir)} npm stop`, moveCommand, `${settings} npm run restore -- ${file}`]
      : [
          '# Stop the site, and make an empty database first:',
          `createdb --encoding=UTF8 --template=template0 ${quote(newDatabase.name)}`,
          '# Replace PASSWORD with the password:',
          `export DATABASE_URL=${quote(newDatabase.url)}`,
          `${settings} npm run restore -- ${file}`,
        ]),
    '# Then start the site as before, on the restored database.',
  ].join('\n')
}

/** Returns the name and owner of a new database on the same server, and its address without the password. */
function describeNewDatabase(databaseUrl: string): { name: string; user: string; url: string } {
  const [, scheme = 'postgres:', userInfo = '', hosts = '', path = ''] =
    /^(\w+:)\/\/(?:([^@/]*)@)?([^/?]*)\/?([^?]*)/.exec(databaseUrl) ?? []
  const [user = ''] = userInfo.split(':')
  const name = `${path === '' ? 'tambayan' : path}_restored`
  const credentials = userInfo.includes(':') ? `${user}:PASSWORD@` : userInfo === '' ? '' : `${user}@`
  return {
    name,
    user: user === '' ? 'tambayan' : decodeURIComponent(user),
    url: `${scheme}//${credentials}${hosts}/${name}`,
  }
}

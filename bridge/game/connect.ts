import type { Dialect, GameConnection } from './driver.ts'

/** Opens a connection. @throws GameUnavailable with a sentence for the operator */
export async function connectGame(dialect: Dialect, url: string): Promise<GameConnection> {
  switch (dialect) {
    case 'mssql':
      return (await import('./mssql.ts')).connectMssql(url)
    case 'mariadb':
      return (await import('./mariadb.ts')).connectMariadb(url)
    case 'postgres':
      return (await import('./postgres.ts')).connectPostgres(url)
  }
}

import { z } from 'zod'
import { checkSetting, type ServerInfo } from '#contract/settings.ts'
import { content } from './files.ts'

const serverInfo = z.custom<ServerInfo>((value) => checkSetting('server_info', value) === null)

/** The values of our demo server, which stand on the server information sheet until the operators write their own at the desk. */
export const SERVER_INFO = serverInfo.parse(JSON.parse(content.readText('server-info.json')))

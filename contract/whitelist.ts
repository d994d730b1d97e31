import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { saidSchema } from './errors.ts'

export const getUserIp = endpoint({
  method: 'GET',
  path: '/user-ip',
  summary: 'The caller’s address and whether this account has whitelisted it',
  area: 'whitelist',
  access: 'player',
  output: z.object({
    useripdata: z.object({
      CC_IP: z.string(),
      CC_status: z.union([z.literal(0), z.literal(1)]).meta({ description: '0: not whitelisted' }),
    }),
  }),
})

export const whitelistUserIp = endpoint({
  method: 'POST',
  path: '/whitelist-user-ip',
  summary: 'Whitelist the caller’s address; an account keeps the newest five',
  area: 'whitelist',
  access: 'player',
  output: saidSchema,
})

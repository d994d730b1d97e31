import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { errorAnswer, jsonAnswer } from './errors.ts'

const noToken = errorAnswer('No token, or a dead one')

export const getUserIp = endpoint({
  method: 'get',
  path: '/user-ip',
  summary: 'The caller’s address and whether this account has whitelisted it',
  tags: ['whitelist'],
  responses: {
    200: jsonAnswer(
      'CC_status 0: not whitelisted',
      z.object({ useripdata: z.object({ CC_IP: z.string(), CC_status: z.union([z.literal(0), z.literal(1)]) }) }),
    ),
    401: noToken,
  },
})

export const whitelistUserIp = endpoint({
  method: 'post',
  path: '/whitelist-user-ip',
  summary: 'Whitelist the caller’s address; an account keeps its five newest',
  tags: ['whitelist'],
  responses: { 200: jsonAnswer('Whitelisted', z.object({ message: z.string() })), 401: noToken },
})

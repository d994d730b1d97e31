import type { z } from 'zod'

type Answer = {
  description: string
  content: { 'application/json': { schema: z.ZodType } } | { 'image/webp': { schema: z.ZodType } }
}

/**
 * One call of SPEC §7 (or of ours), declared once: the server mounts this value, the
 * OpenAPI document lists it and the browser's client is typed from it.
 */
export function endpoint<
  Method extends 'get' | 'post',
  Path extends string,
  Responses extends Record<number, Answer>,
  Request extends object,
>(value: { method: Method; path: Path; summary: string; tags: string[]; request?: Request; responses: Responses }) {
  return value as typeof value & { request: Request }
}

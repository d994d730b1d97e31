import { queryOptions } from '@tanstack/react-query'
import type { Media, MediaKind } from '#contract/media.ts'
import { type ApiClient, read } from '#web/api/client.ts'

const GOOD_MS = 5 * 60_000

/** Gallery pictures, wallpapers or movies, in their order. */
export const mediaQuery = (kind: MediaKind) => (api: ApiClient) =>
  queryOptions({
    queryKey: ['media', kind],
    staleTime: GOOD_MS,
    queryFn: async (): Promise<Media[]> => (await read(api.media[':kind'].$get({ param: { kind } }))).data,
  })

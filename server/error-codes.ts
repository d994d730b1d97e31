import type { Endpoint } from '#contract/endpoint.ts'

/** Codes that no rule derives from a refusal's name; for the rest, `itemNotFound` has the code `noItem`. */
const CODES: Readonly<Record<string, string>> = {
  accessKeyMissing: 'noKey',
  addressMissing: 'noAddress',
  bucketMissing: 'noBucket',
  clubMissing: 'noClub',
  conflict: 'changedMeanwhile',
  factorMissing: 'noFactor',
  gameAccountNotFound: 'noGame',
  mailServerMissing: 'noServer',
  mailUserMissing: 'noUser',
  notClub: 'noClub',
  ownerFactorMissing: 'noOwnerWithFactor',
  passkeysUnavailable: 'noPasskeysHere',
  pathMissing: 'noPath',
  pushServiceUnknown: 'noService',
  serverUnreachable: 'noConnection',
  storeTestFailed: 'noStore',
  storeUnreachable: 'noConnection',
  termNotFound: 'noWord',
  themeNotFound: 'noLook',
  ticketMismatch: 'noMatch',
  unknownListNotFound: 'noUnknown',
}

/**
 * Returns the code of a refusal that a contract declares under a name. Metrics, the stored outcomes of idempotent calls and
 * the functions of the database have used these codes since 1.0.0, so they stay while names in the code can change.
 */
export function toErrorCode(name: string): string {
  const noun = name.match(/^(\w+)NotFound$/)?.[1]
  return CODES[name] ?? (noun === undefined ? name : `no${noun.charAt(0).toUpperCase()}${noun.slice(1)}`)
}

/** Returns the name under which an endpoint declares the refusal with a code; undefined if it declares none. */
export const findRefusalName = ({ errors = {} }: Pick<Endpoint, 'errors'>, code: string): string | undefined =>
  Object.keys(errors).find((name) => toErrorCode(name) === code)

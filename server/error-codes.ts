import type { Endpoint } from '#contract/endpoint.ts'

/** Codes that differ from the rule, by which `itemNotFound` has the code `noItem`. */
const IRREGULAR_CODES: Readonly<Record<string, string>> = {
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
 * Returns the code of a refusal, by its name in the contract. Metrics, stored outcomes of idempotent calls and functions of
 * the database have used these codes since 1.0.0, so they do not change with the names.
 */
export function toErrorCode(name: string): string {
  const noun = name.match(/^(\w+)NotFound$/)?.[1]
  return IRREGULAR_CODES[name] ?? (noun === undefined ? name : `no${noun.charAt(0).toUpperCase()}${noun.slice(1)}`)
}

/** Returns an endpoint's name for the refusal with a code; undefined if the endpoint does not declare it. */
export const findRefusalName = ({ errors = {} }: Pick<Endpoint, 'errors'>, code: string): string | undefined =>
  Object.keys(errors).find((name) => toErrorCode(name) === code)

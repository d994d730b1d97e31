import type { Agent } from 'node:https'

/** The allowed push services. Tests replace them, with an agent that accepts their certificate. */
export type PushServices = { isKnown: (endpoint: string) => boolean; agent?: Agent }

/** The push services of browsers: Chrome and others on Google's, Firefox, Edge on Windows, Safari. */
const PUSH_HOST_PATTERN =
  /^(fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|[\w-]+\.notify\.windows\.com|web\.push\.apple\.com)$/

/** The push services that the site sends to, only over https at the default port (PUSH-2). */
export const PUSH_SERVICES: PushServices = {
  isKnown: (endpoint) => {
    const url = URL.parse(endpoint)
    return (
      url !== null &&
      url.protocol === 'https:' &&
      url.port === '' &&
      url.username === '' &&
      url.password === '' &&
      PUSH_HOST_PATTERN.test(url.hostname)
    )
  },
}

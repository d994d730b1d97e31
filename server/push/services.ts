import type { Agent } from 'node:https'

/** Which addresses messages may go to. Only tests have others, and an agent that trusts their certificate. */
export type PushServices = { isKnown: (endpoint: string) => boolean; agent?: Agent }

/** The push services of browsers: Chrome and others on Google's, Firefox, Edge on Windows, Safari. */
const HOSTS =
  /^(fcm\.googleapis\.com|updates\.push\.services\.mozilla\.com|[\w-]+\.notify\.windows\.com|web\.push\.apple\.com)$/

/** The push services that the site sends to, over https at the usual port and to nothing else (PUSH-2). */
export const PUSH_SERVICES: PushServices = {
  isKnown: (endpoint) => {
    const url = URL.parse(endpoint)
    return (
      url !== null &&
      url.protocol === 'https:' &&
      url.port === '' &&
      url.username === '' &&
      url.password === '' &&
      HOSTS.test(url.hostname)
    )
  },
}

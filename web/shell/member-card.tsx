import { IdCard } from './id-card.tsx'
import { LoginForm } from './login-form.tsx'
import { PlayerCard } from './player-card.tsx'

/** The side panel's card (SPEC §2.3). Both sides are in the HTML and the session mark shows one before first paint. */
export function MemberCard() {
  return (
    <IdCard>
      <div data-for="guest">
        <LoginForm />
      </div>
      <div data-for="player">
        <PlayerCard />
      </div>
    </IdCard>
  )
}

import { ButtonLink } from '#web/ui/button.tsx'

/** The way in on phones and tablets, where the card is left out. */
export function HeroAccount({ className }: { className?: string | undefined }) {
  return (
    <div className={className}>
      <div data-for="guest">
        <ButtonLink to="/login" tone="secondary" size="lg">
          Login
        </ButtonLink>
      </div>
      <div data-for="player">
        <ButtonLink to="/user" tone="secondary" size="lg">
          My Account
        </ButtonLink>
      </div>
    </div>
  )
}

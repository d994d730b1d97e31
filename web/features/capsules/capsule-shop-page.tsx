import { CAPSULE_TEXTS, getCapsules, getRarity } from '#contract/capsules.ts'
import { useHeadLines } from '#web/api/documents.ts'
import { useCall } from '#web/api/queries.ts'
import { useSession } from '#web/api/session.ts'
import { getCurrency } from '#web/features/shop/amounts.ts'
import { ItemPicture, Price } from '#web/features/shop/item-parts.tsx'
import { PurchasesClosed } from '#web/features/shop/purchases-closed.tsx'
import { PARENT_PAGES, PageHead } from '#web/shell/page-head.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import layout from '#web/ui/layout.module.css'
import { Panel } from '#web/ui/panel.tsx'
import { EmptyState, Skeleton } from '#web/ui/states.tsx'
import text from '#web/ui/text.module.css'
import { Count } from '#web/ui/value.tsx'
import { type Capsule, CapsuleMachine, RarityMark } from './capsule-machine.tsx'
import styles from './capsules.module.css'
import { Draws } from './draws.tsx'

/** Lists the capsules on sale (the target of the banner in SHELL-9). */
export default function CapsuleShopPage() {
  const { data: answer, isFetching, refetch } = useCall(getCapsules, {})
  const userNum = useSession()?.user.UserNum ?? 0
  return (
    <>
      <PageHead
        parents={[PARENT_PAGES.shop]}
        crumb={CAPSULE_TEXTS.title}
        title={CAPSULE_TEXTS.title}
        lines={useHeadLines('capsules')}
      />
      <PurchasesClosed />
      {answer === undefined ? (
        <Panel title="Capsules">
          {isFetching ? (
            <div className={layout.padded}>
              <Skeleton width="100%" height={220} />
            </div>
          ) : (
            <EmptyState
              title="We couldn’t load the capsules"
              action={
                <button type="button" onClick={() => void refetch()}>
                  Try again
                </button>
              }
            />
          )}
        </Panel>
      ) : answer.data.length === 0 ? (
        <Panel title="Capsules">
          <EmptyState
            title={CAPSULE_TEXTS.empty}
            line={CAPSULE_TEXTS.emptyLine}
            action={<ButtonLink to="/itemshop">Item Shop</ButtonLink>}
          />
        </Panel>
      ) : (
        <div className={layout.panels}>
          <ul className={styles.capsules}>
            {answer.data.map((capsule) => (
              <CapsuleCard key={capsule.capsule} capsule={capsule} />
            ))}
          </ul>
          {userNum > 0 && <Draws key={userNum} />}
        </div>
      )}
    </>
  )
}

/** The number of items on a card, rarest first. */
const ITEMS_ON_CARD = 6

function CapsuleCard({ capsule }: { capsule: Capsule }) {
  const { name, description, price, section, prizes } = capsule
  return (
    <li>
      <Panel>
        <div className={styles.card}>
          <CapsuleMachine capsule={capsule} />
          <div className={styles.text}>
            <h2>{name}</h2>
            <p>{description}</p>
            <p className={styles.price}>
              <Price amount={price} currency={getCurrency(section)} markSize={26} />
            </p>
            <p className={text.quiet}>
              <Count of={prizes.length} unit="item" units="different items" />
            </p>
            <ButtonLink to={`/capsuleshop/${capsule.capsule}`}>See every chance</ButtonLink>
          </div>
          <ul className={styles.contents}>
            {prizes.slice(0, ITEMS_ON_CARD).map((prize) => (
              <li key={prize.product_num}>
                <ItemPicture item={prize} isLazy />
                <span>
                  {prize.item_name}
                  <br />
                  <RarityMark rarity={getRarity(prize.chance)} />
                </span>
              </li>
            ))}
          </ul>
        </div>
      </Panel>
    </li>
  )
}

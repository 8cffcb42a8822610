/** Files in the styles that people write, each with comments. */
export const files: Readonly<Record<string, string>> = {
  'two spaces, plain': `# Kept by the shop team.
name: orders # as in the shop
entity:
  type: table
  fullyQualifiedName: warehouse.shop.orders

entityStatus: Draft
description: One row per order placed.

owners:
  # Ask them first.
  - type: team
    name: data-platform
  - type: user
    name: mira # since May
schema:
  - name: order_id
    dataType: BIGINT
    constraint: PRIMARY_KEY # the only key

  # Wording by the cashier.
  - name: amount
    dataType: DECIMAL
    precision: 12
    scale: 2

  - name: placed_at
    dataType: TIMESTAMP
`,
  'lists at the key, single quotes': `name: 'refunds'
entity: {type: 'table', fullyQualifiedName: 'warehouse.shop.refunds'}
description: 'It''s one row per refund.'   # in one sentence
semantics:
- name: 'amount is positive'
  # Refunds are no payments.
  rule: '{">": [{"var": "amount"}, 0]}'

- name: 'refund has an order'
  rule: '{"!!": {"var": "order_id"}}'
sla:
  refreshFrequency: {interval: 1, unit: 'day'} # at night
  retention: {period: 2, unit: 'year'}
reviewers:
- {type: 'user', name: 'ada'}
- {type: 'user', name: 'grace'} # for the law
`,
  'four spaces, double quotes': `"name": "customers"
"entity":
    "type": "table"
    "fullyQualifiedName": "warehouse.crm.customers"
"description": "People who bought something."
"schema":
    - "name": "id" # given by us
      "dataType": "UUID"
    - "name": "email"
      "dataType": "VARCHAR"
      "dataLength": 320
      # Personal data.
      "tags":
          - "tagFQN": "PII.Sensitive"
          - "tagFQN": "Tier.Tier1"
"extension":
    "costCentre": "4711"
    "reviewedOn": "2026-01-31"
`,
  'blocks of text': `# Contract of the web shop's events.
name: events
entity:
  fullyQualifiedName: kafka.shop.events
description: |
  What people do in the shop.

  - clicks
  - searches # this is text
displayName: >-
  Events of the
  web shop
semantics:
  - name: is new
    description: |-
      Older ones are
        dropped.
    rule: >
      {"==": [{"var": "age"},
      0]}
  # Last, since it takes long.
  - name: has a user
    rule: 'true'
entityStatus: Active
`,
  'flow within and over lines': `name: prices
entity: { type: table, fullyQualifiedName: warehouse.shop.prices }
owners: [{ type: team, name: pricing }, { type: user, name: jo }] # both
sla: { refreshFrequency: { interval: 15, unit: minute }, maxLatency: { value: 1, unit: hour } }
schema: [
  { name: sku, dataType: STRING }, # of the maker
  { name: price, dataType: DECIMAL, precision: 10 },
  { name: currency, dataType: CHAR, dataLength: 3 },
]
extension: { sources: [erp, shop], hidden: false, weight: 0.5 }
`,
  'much space and banners': `# ---------------------------------------------------------------
# Orders, second edition
# ---------------------------------------------------------------

name:   orders_v2
entity:
  type:               table
  fullyQualifiedName: warehouse.shop.orders_v2


# --- people ----------------------------------------------------

owners:

  - type: team
    name: checkout


  - type: team
    name: data-platform

# --- columns ---------------------------------------------------

schema:

  - name:     id
    dataType: BIGINT

  - name:     state      # see the handbook
    dataType: VARCHAR
    dataLength: 16

# End of the file.
`,
  'an ODCS document': `apiVersion: v3.1.0
kind: DataContract
id: 53581432-6c55-4ba2-a65f-72344a91553a
name: Orders
version: 1.2.0
status: active # since January
description:
  purpose: Orders of the shop.
  usage: "Reports, no billing."
servers:
  - server: production
    type: postgres
    host: db.example.com # behind the gate
    port: 5432
    database: shop
schema:
  - name: orders
    physicalName: orders
    # One row per order.
    properties:
      - name: order_id
        logicalType: integer
        physicalType: bigint
        primaryKey: true
      - name: status
        logicalType: string
        physicalType: varchar(20)
        quality:
          - metric: nullValues
            mustBe: 0 # strictly
      - name: total
        logicalType: number
        physicalType: numeric(10, 2)
slaProperties:
  - property: retention
    value: 3
    unit: y
  - { property: latency, value: 4, unit: h } # agreed in March
`,
  'several documents': `# First of two.
name: a
entity: { fullyQualifiedName: warehouse.a }
description: First.
---
# Second of two.
name: b # its name
entity:
  fullyQualifiedName: warehouse.b
description: Second.
schema:
  - name: x
    dataType: INT
  - name: y # why?
    dataType: INT
extension:
  notes: [one, two]
...
`,
  'words that YAML 1.1 reads otherwise': `name: flags
entity: { fullyQualifiedName: warehouse.shop.flags }
displayName: "no" # a text
description: 'on: off'
extension:
  country: 'NO'
  version: "1.10"
  since: 2024-01-01
  at: "12:30"
  empty: ""
  nothing: null
  enabled: true
  mode: "0755"
  words:
    - "yes"
    - plain
    - 'no' # Norway
    - ~
  "on": call
`,
  'line breaks of Windows': `# Edited on Windows.
name: stock
entity:
  fullyQualifiedName: warehouse.shop.stock
owners:
  - type: team
    name: logistics # in Hamburg
description: What is where.

schema:
  - name: sku
    dataType: STRING
  # Counted at night.
  - name: amount
    dataType: INT
    description: |
      Pieces,
      not pallets.
`.replaceAll('\n', '\r\n'),
};

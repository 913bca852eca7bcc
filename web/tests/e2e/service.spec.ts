import { expect, test, type APIRequestContext, type Page } from "@playwright/test";
import { answered, ask, quiet, real } from "./help";

test.skip(!real, "the stand-in has no service desk");

interface Story {
  id: string;
  order: string;
  user: string;
  email: string;
  reason: { zh: string; en: string };
}

async function stories(request: APIRequestContext): Promise<Map<string, Story>> {
  const answer = await request.get("/api/v1/refunds/stories");
  expect(answer.ok()).toBe(true);
  const { items } = (await answer.json()) as { items: Story[] };
  return new Map(items.map((story) => [story.id, story]));
}

async function known(page: Page, story: Story): Promise<void> {
  await page.locator(".identity input").first().fill(story.order);
  await page.locator(".identity input").nth(1).fill(story.email);
  await page.locator(".identity form").first().locator("button").click();
  await expect(page.locator(".known-as")).toBeVisible();
}

test("a customer is known first, then sees the case and its parcel beside the talk", async ({ page, request }) => {
  const complaints = quiet(page);
  const story = (await stories(request)).get("transit");
  if (story === undefined) throw new Error("no story of a parcel on its way");
  await page.goto("/service");
  await ask(page, "Where is my order?");
  await answered(page, 1);
  await expect(page.locator(".case")).toHaveCount(0);
  await known(page, story);
  await ask(page, `Where is my order ${story.order}?`);
  await answered(page, 2);
  await expect(page.locator(".case-order h3")).toHaveText(story.order);
  await expect(page.locator(".parcel li").first()).toBeVisible();
  await page.reload();
  await expect(page.locator(".case-order h3")).toHaveText(story.order);
  expect(complaints).toEqual([]);
});

test("a wrong contact is answered like an order that does not exist", async ({ page, request }) => {
  const story = (await stories(request)).get("defect");
  if (story === undefined) throw new Error("no story of a defect");
  await page.goto("/service");
  await ask(page, "Where is my order?");
  await answered(page, 1);
  const tried: string[] = [];
  for (const order of [story.order, "ORD-0000-0000"]) {
    await page.locator(".identity input").first().fill(order);
    await page.locator(".identity input").nth(1).fill("nobody@example.com");
    await page.locator(".identity form").first().locator("button").click();
    await expect(page.locator(".identity .trouble")).toBeVisible();
    tried.push(await page.locator(".identity .trouble p").innerText());
  }
  expect(tried[0]).toBe(tried[1]);
});

test("the refund agent decides a story; told twice it is one decision", async ({ page, request }) => {
  const all = await stories(request);
  const story = all.get("delivered");
  if (story === undefined) throw new Error("no story of a delivered parcel");
  await page.goto("/inbox?tab=refund");
  const button = page.locator(".stories button", { hasText: story.order });
  const results: string[] = [];
  for (let n = 0; n < 2; n++) {
    await button.click();
    await expect(page.locator(".refund-result")).toBeVisible({ timeout: 20_000 });
    results.push(await page.locator(".refund-result").innerText());
    await page.goto("/inbox?tab=refund");
  }
  expect(results[0]).toBe(results[1]);
  await page.goto(`/inbox?tab=orders&order=${encodeURIComponent(story.order)}`);
  await expect(page.locator(".case-entries").first()).toBeVisible();
  await expect(page.locator(".case .mail")).toHaveCount(1);
});

test("a person takes a conversation over, answers, and gives it back", async ({ page, browser }) => {
  await page.goto("/service");
  await ask(page, "Which returns do you take?");
  await answered(page, 1);
  const staff = await (await browser.newContext()).newPage();
  await staff.goto("/inbox?tab=conversations");
  await staff.locator(".inbox-row", { hasText: "Which returns do you take?" }).locator("button").first().click();
  await expect(staff.locator(".opened")).toBeVisible();
  await staff.locator(".decide textarea").fill("I am looking at it myself.");
  await staff.locator(".decide form").first().locator(".primary").click();
  await expect(page.locator(".said-by-shop", { hasText: "I am looking at it myself." })).toBeVisible({ timeout: 20_000 });
  const before = await page.locator(".said-by-shop .prose").count();
  await ask(page, "Thank you");
  await expect(page.locator(".notice").last()).toBeVisible();
  expect(await page.locator(".said-by-shop .prose").count()).toBe(before); // the assistant is silent
  await staff.locator(".decide form").first().locator("button", { hasText: /Give back|交还/ }).click();
  await expect(staff.locator(".decide textarea")).toHaveCount(0);
  await ask(page, "Which returns do you take?");
  await expect.poll(() => page.locator(".said-by-shop .prose").count(), { timeout: 20_000 }).toBeGreaterThan(before);
  await staff.context().close();
});

test("refunds can be paused, and it is said so", async ({ page }) => {
  await page.goto("/inbox");
  await page.locator(".pause .quiet-button").click();
  await page.locator(".pause input").fill("stock-taking");
  await page.locator(".pause form button[type=submit]").click();
  await expect(page.locator(".pause[data-paused=true]")).toBeVisible();
  await page.locator(".pause form button[type=submit]").click();
  await expect(page.locator(".pause[data-paused=false]")).toBeVisible();
});

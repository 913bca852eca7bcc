import { expect, test } from "@playwright/test";
import { quiet, real } from "./help";

test.skip(!real, "the stand-in has no reviews");

test("the numbers of the reviews open the reviews behind them", async ({ page }) => {
  const complaints = quiet(page);
  await page.goto("/reviews");
  await expect(page.locator(".demo")).toBeVisible();
  const negative = page.locator(".figure[data-tone=bad]");
  await expect(negative).toBeVisible({ timeout: 30_000 });
  await negative.click();
  await expect(page.locator(".review-list li").first()).toHaveAttribute("data-polarity", "negative");
  await page.keyboard.press("Escape");
  await expect(page.locator(".chart svg").first()).toBeVisible();
  await page.locator(".complaint-name").first().click();
  await expect(page.locator(".panel .review-list li").first()).toBeVisible();
  expect(complaints).toEqual([]);
});

test("a question is answered with footnotes that open reviews", async ({ page }) => {
  await page.goto("/reviews");
  await page.locator(".ask-examples button").first().click();
  await expect(page.locator(".asked .cited")).toBeVisible({ timeout: 30_000 });
  await page.locator(".footnote").first().click();
  await expect(page.locator(".panel .review-list li").first()).toBeVisible();
});

test("every view of a data set has something to say", async ({ page }) => {
  for (const [view, what] of [
    ["complaints", ".complaints > li"],
    ["topics", ".topics > li"],
    ["segments", ".reviews-part"],
    ["products", ".reviews-part tbody tr"],
    ["reviews", ".review-list li"],
  ] as const) {
    await page.goto(`/reviews/sample-shop?view=${view}`);
    await expect(page.locator(what).first()).toBeVisible({ timeout: 40_000 });
  }
});

test("a file of reviews is looked at, brought in and opened", async ({ page }) => {
  const rows = ["id,content,score,when", ...Array.from({ length: 60 }, (_, n) => `r${n},${n % 3 === 0 ? "The zip broke after a week and the shop did not answer" : "Lovely colour and it fits very well"},${n % 3 === 0 ? 1 : 5},2026-0${1 + (n % 9)}-1${n % 9}`)];
  await page.goto("/reviews/new");
  await page.locator("[data-testid=reviews-file]").setInputFiles({ name: "spring.csv", mimeType: "text/csv", buffer: Buffer.from(`${rows.join("\n")}\n`) });
  await expect(page.locator(".rows-table")).toBeVisible();
  await page.locator(".understood .primary").click();
  await page.locator(".import .primary").click({ timeout: 30_000 });
  await expect(page).toHaveURL(/\/reviews\/spring/);
  await expect(page.locator(".figure-value").first()).toHaveText("60", { timeout: 20_000 });
});
